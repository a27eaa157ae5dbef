import * as z from 'zod/mini'
import { Id, IdParams, Instant, listed } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import { type Contract, file } from '#contracts/lib/route.ts'

/** How long a copy can be downloaded, and how many copies a user may request a day. */
export const DATA_COPY = { hours: 24, perDay: 3 } as const

/** A zip file of all data that the service stores about a user. */
export const DataCopy = z.object({
  id: Id,
  state: listed(['running', 'ready']),
  created: Instant,
  /** When a finished copy is removed. */
  until: z.nullable(Instant),
  /** Size of a finished copy in bytes. */
  bytes: z.nullable(z.int()),
})
export type DataCopy = z.infer<typeof DataCopy>

export const myData = {
  list: {
    method: 'GET',
    path: '/users/export/',
    summary: 'Lists the copies of the own data that are being made or can be downloaded; a new one replaces the one before',
    access: rights.ownData,
    response: { 200: z.array(DataCopy) },
    safety: 'read',
    provenance: 'ours',
  },
  create: {
    method: 'POST',
    path: '/users/export/',
    summary: `Starts a copy of the own data (JSON, GPX and PDF in a zip file), at most ${DATA_COPY.perDay} a day; a mail says when it is ready`,
    access: rights.ownData,
    recentSignIn: 'always',
    costly: true,
    response: { 201: DataCopy },
    errors: ['export_running'],
    safety: 'reversible',
    provenance: 'ours',
  },
  file: {
    method: 'GET',
    path: '/users/export/:id/',
    summary: `Downloads a copy of the own data within ${DATA_COPY.hours} hours after it was ready`,
    access: rights.ownData,
    showsPositions: true,
    costly: true,
    params: IdParams,
    response: { 200: file('application/zip') },
    safety: 'read',
    provenance: 'ours',
  },
} as const satisfies Contract
