import * as z from 'zod/mini'
import { Id, IdParams, Instant, Text, Whole } from '#contracts/lib/common.ts'
import { TEXT_LENGTH } from '#contracts/lib/constants.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'

/** A key with which a phone reports positions for one tracker. The secret is shown only when the key is created. */
const DeviceKey = z.object({
  id: Id,
  label: z.string(),
  created_at: z.nullable(Instant),
  last_used_at: z.nullable(Instant),
})
export type DeviceKey = z.infer<typeof DeviceKey>

/** The only response with the secret, and the ingest address on the portal's origin. */
const NewDeviceKey = z.extend(DeviceKey, {
  key: z.string(),
  urls: z.object({ osmand: z.string(), owntracks: z.string(), ingest: z.string() }),
})
export type NewDeviceKey = z.infer<typeof NewDeviceKey>

export const deviceKeys = {
  list: {
    method: 'GET',
    path: '/devices/:id/keys/',
    summary: 'Lists the keys with which phones report positions for a tracker, newest first',
    access: rights.readTrackers,
    params: IdParams,
    response: { 200: z.array(DeviceKey) },
    safety: 'read',
    provenance: 'assumed',
  },
  create: {
    method: 'POST',
    path: '/devices/:id/keys/',
    summary: 'Creates a key for a phone, at most five per tracker; this response is the only one with the key',
    access: rights.changeTrackers,
    params: IdParams,
    body: z.object({ label: z._default(Text(0, TEXT_LENGTH.keyLabel), '') }),
    response: { 201: NewDeviceKey },
    errors: ['too_many_keys'],
    safety: 'reversible',
    provenance: 'assumed',
  },
  remove: {
    method: 'DELETE',
    path: '/devices/:id/keys/:key/',
    summary: 'Revokes a key; messages sent with it are rejected from then on',
    access: rights.changeTrackers,
    params: z.object({ id: Whole, key: Whole }),
    response: { 200: z.object({ id: Id }) },
    safety: 'destructive',
    provenance: 'assumed',
  },
} as const satisfies Contract
