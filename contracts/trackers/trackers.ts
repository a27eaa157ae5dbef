import * as z from 'zod/mini'
import { Id, IdParams, listed } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { Text } from '#contracts/rules/reading/text-fields.ts'
import { DEVICE_TYPES, KINDS } from '#contracts/rules/tracking/tracker.ts'
import { Device, TrackerConfig } from './devices.ts'

const Name = Text(1, TEXT_LENGTH.deviceName)

/** Identified by either or both of its numbers; the type is needed only where the number does not imply it. */
export const NewTracker = z
  .object({
    identifier: z.optional(z.string()),
    serial: z.optional(z.string()),
    name: Name,
    kind: z.enum(KINDS),
    type: z.optional(z.enum(DEVICE_TYPES)),
  })
  .check(
    z.refine((body) => body.identifier !== undefined || body.serial !== undefined, {
      path: ['identifier'],
      error: 'identifier or serial is required',
    }),
  )
export type NewTracker = z.infer<typeof NewTracker>

/** `tag` is the id of a tag, or null for none; `visible` applies to the calling user only. */
export const TrackerChange = z.object({
  name: z.optional(Name),
  kind: z.optional(listed(KINDS)),
  tag: z.optional(z.nullable(Id)),
  visible: z.optional(z.boolean()),
})
export type TrackerChange = z.infer<typeof TrackerChange>

/** Adds trackers to an account, edits their name and kind, and removes them. */
export const trackers = {
  add: {
    method: 'POST',
    path: '/devices/trackers/',
    summary: 'Adds a tracker to the account by its identifier or S/N',
    access: rights.ownTrackers,
    showsPositions: true,
    body: NewTracker,
    response: { 201: Device },
    errors: ['invalid_identifier', 'invalid_serial', 'not_in_stock', 'identifier_taken', 'blocked'],
    safety: 'destructive',
    provenance: 'assumed',
  },
  change: {
    method: 'PATCH',
    path: '/devices/:id/',
    summary: 'Changes name, kind, tag or visibility of a tracker',
    access: rights.changeTrackers,
    scope: 'trackers:write',
    showsPositions: true,
    params: IdParams,
    body: TrackerChange,
    response: { 200: Device },
    safety: 'reversible',
    provenance: 'assumed',
  },
  remove: {
    method: 'DELETE',
    path: '/devices/:id/',
    summary: 'Removes a tracker from the account with all its data; its identifier is free again',
    access: rights.ownTrackers,
    params: IdParams,
    response: { 200: z.object({ id: Id }) },
    errors: ['recurring_active'],
    safety: 'destructive',
    provenance: 'assumed',
  },
  activateNetwork: {
    method: 'POST',
    path: '/devices/:id/network_activate/',
    summary: 'Puts a tracker back on the network after a long silence',
    access: rights.changeTrackers,
    scope: 'trackers:write',
    params: IdParams,
    response: { 200: TrackerConfig },
    safety: 'reversible',
    provenance: 'assumed',
  },
} as const satisfies Contract
