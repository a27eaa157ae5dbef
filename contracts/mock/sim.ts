import * as z from 'zod/mini'
import { Id, IdParams, Instant, Latitude, Longitude } from '#contracts/lib/common.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { Measured, Receipt } from '#contracts/positions.ts'
import { EVENT_TYPES } from '#contracts/rules/tracking/reporting.ts'
import { Normal } from '#contracts/trackers/normal.ts'
import { Duration } from './clock.ts'

const Point = z.object({ lat: Latitude, lng: Longitude })
export const SimState = z.object({
  is_running: z.boolean(),
  trackers: z.array(
    z.object({
      id: Id,
      identifier: z.string(),
      name: z.string(),
      silent_until: z.nullable(Instant),
      drive_ends_at: z.nullable(Instant),
    }),
  ),
})

const ofTracker = { method: 'POST', access: 'public', params: IdParams, safety: 'reversible', provenance: 'assumed' } as const

/** Controls the trackers of the world, which otherwise move by themselves. */
export const sim = {
  read: {
    method: 'GET',
    path: '/mock/sim',
    summary: 'Returns whether trackers move, and which of them follow a given route or are silenced',
    access: 'public',
    response: { 200: SimState },
    safety: 'read',
    provenance: 'assumed',
  },
  set: {
    method: 'PUT',
    path: '/mock/sim',
    summary: 'Stops or resumes all trackers',
    access: 'public',
    body: z.strictObject({ is_running: z.boolean() }),
    response: { 200: SimState },
    safety: 'reversible',
    provenance: 'assumed',
  },
  drive: {
    ...ofTracker,
    path: '/mock/sim/trackers/:id/drive',
    summary:
      'Sends a tracker along points, the track of a GPX file, or the streets to addresses, starting now; `noise` and `jumps` make its fixes wrong',
    body: z.strictObject({
      route: z.optional(z.array(z.string()).check(z.minLength(1), z.maxLength(20))),
      points: z.optional(z.array(Point).check(z.minLength(1), z.maxLength(5000))),
      gpx: z.optional(z.string()),
      speed_kmh: z._default(z.number().check(z.minimum(0.1), z.maximum(1000)), 30),
      every_seconds: z._default(z.int().check(z.minimum(1), z.maximum(3600)), 30),
      /** Typical error of a fix in metres. */
      noise: z._default(z.number().check(z.minimum(0), z.maximum(1000)), 0),
      /** The share of fixes that lie kilometres away, as with a receiver among high buildings. */
      jumps: z._default(z.number().check(z.minimum(0), z.maximum(0.5)), 0),
    }),
    response: { 200: z.object({ metres: z.int(), positions: z.int(), ends_at: Instant }) },
  },
  position: {
    ...ofTracker,
    path: '/mock/sim/trackers/:id/position',
    summary:
      'Reports a position of a tracker now, which is believed wherever it is, unless `is_judged` asks for the filter of real fixes; a second report within the same second is ignored, as for any tracker',
    body: z.strictObject({
      ...Point.shape,
      precision: z._default(z.int().check(z.minimum(0), z.maximum(100_000)), 5),
      battery: z.optional(z.number()),
      ...Measured.shape,
      is_judged: z._default(z.boolean(), false),
    }),
    response: { 200: Receipt },
  },
  event: {
    ...ofTracker,
    path: '/mock/sim/trackers/:id/event',
    summary: 'Reports an event of a tracker now, at its last position',
    body: z.strictObject({ type: z.enum(EVENT_TYPES), battery: z.optional(z.number()) }),
    response: { 200: Receipt },
  },
  communicate: {
    ...ofTracker,
    path: '/mock/sim/trackers/:id/communicate',
    summary: 'Sends a message of a tracker without a position, which applies a pending mode',
    response: { 200: Receipt },
  },
  silence: {
    ...ofTracker,
    path: '/mock/sim/trackers/:id/silence',
    summary: 'Silences a tracker for a while or for ever; after 90 days its network is deactivated. PT0S ends the silence',
    body: z.strictObject({ for: z.optional(Duration) }),
    response: { 200: SimState },
  },
  learn: {
    ...ofTracker,
    path: '/mock/sim/trackers/:id/learn',
    summary: 'Learns now where a tracker usually is, from its positions until now, and switches that on; returns what was learnt',
    response: { 200: Normal },
  },
} as const satisfies Contract
