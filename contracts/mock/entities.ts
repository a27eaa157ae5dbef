import * as z from 'zod/mini'
import type { Contract } from '#contracts/lib/route.ts'
import { choice } from './choices.ts'

export const ENTITY_TYPES = ['trackers', 'places', 'contacts', 'links', 'users', 'alerts', 'tags', 'stock'] as const
export type EntityType = (typeof ENTITY_TYPES)[number]

/** A database row under its column names: instants as ISO 8601, coordinates in degrees, secrets omitted. */
const Row = z.record(z.string(), z.unknown())

const TypeParams = z.object({ type: choice(ENTITY_TYPES) })
const RowParams = z.extend(TypeParams, { id: z.string() })
const Given = { traits: z.optional(z.array(z.string())), data: z.optional(Row) }

/** Creates and edits rows that a test needs and no scenario provides. */
export const entities = {
  list: {
    method: 'GET',
    path: '/mock/entities/:type',
    summary: 'Lists the rows of a kind for all accounts',
    access: 'public',
    params: TypeParams,
    response: { 200: z.array(Row) },
    safety: 'read',
    provenance: 'assumed',
  },
  create: {
    method: 'POST',
    path: '/mock/entities/:type',
    summary: 'Creates rows of a kind for a persona, with traits such as `not_activated` and with data that overrides the defaults',
    access: 'public',
    params: TypeParams,
    body: z.strictObject({ ...Given, count: z._default(z.int().check(z.minimum(1), z.maximum(1000)), 1), owner: z.optional(z.string()) }),
    response: { 201: z.array(Row) },
    safety: 'reversible',
    provenance: 'assumed',
  },
  change: {
    method: 'PATCH',
    path: '/mock/entities/:type/:id',
    summary: "Changes a row without applying the portal's rules; only values the API could never return are rejected",
    access: 'public',
    params: RowParams,
    body: z.strictObject(Given),
    response: { 200: Row },
    safety: 'reversible',
    provenance: 'assumed',
  },
  remove: {
    method: 'DELETE',
    path: '/mock/entities/:type/:id',
    summary: 'Removes a row and the rows that depend on it',
    access: 'public',
    params: RowParams,
    response: { 200: z.object({ id: z.string() }) },
    safety: 'destructive',
    provenance: 'assumed',
  },
} as const satisfies Contract
