import * as z from 'zod/mini'
import { Id, IdParams, Instant, Maker, openEnum, Whole } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { Text } from '#contracts/rules/reading/text-fields.ts'

/** The most keys per tracker with which phones may report positions. */
export const MAX_DEVICE_KEYS = 5

/** A key with which a phone reports positions for one tracker. The secret is shown only when the key is created. */
export const DeviceKey = z.object({
  id: Id,
  label: z.string(),
  created_at: z.nullable(Instant),
  last_used_at: z.nullable(Instant),
  created_by: Maker,
})
export type DeviceKey = z.infer<typeof DeviceKey>

/** The only response with the secret, and the ingest address on the portal's origin. */
export const NewDeviceKey = z.extend(DeviceKey, {
  key: z.string(),
  urls: z.object({ osmand: z.string(), owntracks: z.string(), ingest: z.string(), overland: z.optional(z.string()) }),
})
export type NewDeviceKey = z.infer<typeof NewDeviceKey>

/** The protocols by which a key's messages arrive: `json` is our own. */
export const KEY_PROTOCOLS = ['json', 'osmand', 'owntracks', 'overland'] as const
export type KeyProtocol = (typeof KEY_PROTOCOLS)[number]

/**
 * Reasons to reject a message or a part of it: not JSON where JSON is expected, not a format of its protocol, encrypted, coordinates or
 * time unreadable, no satellite fix, too large, more positions than a tracker may report on a day, a fix in the future or too old.
 */
export const KEY_MESSAGE_REASONS = [
  'malformed',
  'unknown_format',
  'encrypted',
  'coordinates',
  'time',
  'no_fix',
  'too_large',
  'too_many',
  'in_the_future',
  'too_old',
] as const
export type KeyMessageReason = (typeof KEY_MESSAGE_REASONS)[number]

/** The last message sent with a key for this tracker. A reason with the outcome `read` explains why some of its positions were rejected. */
export const KeyMessage = z.object({
  /** Null for a gateway's key, which the tracker's list of keys does not contain. */
  key: z.nullable(Id),
  datetime: Instant,
  protocol: openEnum(KEY_PROTOCOLS),
  outcome: openEnum(['read', 'refused']),
  reason: z.nullable(openEnum(KEY_MESSAGE_REASONS)),
  /** Positions in the message, including those rejected for their time. */
  positions: z.int(),
})
export type KeyMessage = z.infer<typeof KeyMessage>

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
    recentSignIn: 'always',
    params: IdParams,
    body: z.object({ label: z._default(Text(0, TEXT_LENGTH.keyLabel), '') }),
    response: { 201: NewDeviceKey },
    errors: ['too_many_keys'],
    safety: 'reversible',
    provenance: 'assumed',
  },
  messages: {
    method: 'GET',
    path: '/devices/:id/keys/messages/',
    summary: 'Lists the last message sent with each key for a tracker: when, in which protocol, and whether it was read',
    access: rights.readTrackers,
    params: IdParams,
    response: { 200: z.array(KeyMessage) },
    safety: 'read',
    provenance: 'ours',
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
