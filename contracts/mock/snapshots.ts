import * as z from 'zod/mini'
import { type Contract, file, upload } from '#contracts/lib/route.ts'
import { ClockState } from './clock.ts'
import { OpenedWorld, SnapshotName } from './worlds.ts'

const LARGEST = 256 * 1024 * 1024

const NameParams = z.object({ name: SnapshotName })

export const Snapshot = z.object({
  name: z.string(),
  scenario: z.string(),
  seed: z.int(),
  clock: ClockState,
  bytes: z.int(),
})

/** Saved worlds, one file each: database, clock and seed. */
export const snapshots = {
  list: {
    method: 'GET',
    path: '/mock/snapshots',
    summary: 'Lists the snapshots, oldest first',
    access: 'public',
    response: { 200: z.array(Snapshot) },
    safety: 'read',
    provenance: 'assumed',
  },
  create: {
    method: 'POST',
    path: '/mock/snapshots',
    summary: 'Saves the world of the request; a snapshot of the same name is replaced',
    access: 'public',
    body: z.strictObject({ name: z.optional(SnapshotName) }),
    response: { 201: Snapshot },
    safety: 'reversible',
    provenance: 'assumed',
  },
  restore: {
    method: 'POST',
    path: '/mock/snapshots/:name/restore',
    summary: 'Restores the world of the request from a snapshot: data, time and seed',
    access: 'public',
    params: NameParams,
    response: { 200: OpenedWorld },
    safety: 'destructive',
    provenance: 'assumed',
  },
  download: {
    method: 'GET',
    path: '/mock/snapshots/:name/download',
    summary: 'Downloads a snapshot, to attach it to a report',
    access: 'public',
    params: NameParams,
    response: { 200: file('application/vnd.sqlite3') },
    safety: 'read',
    provenance: 'assumed',
  },
  add: {
    method: 'POST',
    path: '/mock/snapshots/import',
    summary: 'Uploads a snapshot that was downloaded from this or another server',
    access: 'public',
    query: z.object({ name: SnapshotName }),
    body: upload('application/vnd.sqlite3', LARGEST),
    response: { 201: Snapshot },
    safety: 'reversible',
    provenance: 'assumed',
  },
  remove: {
    method: 'DELETE',
    path: '/mock/snapshots/:name',
    summary: 'Removes a snapshot',
    access: 'public',
    params: NameParams,
    response: { 200: z.object({ name: z.string() }) },
    safety: 'destructive',
    provenance: 'assumed',
  },
} as const satisfies Contract
