import * as z from 'zod/mini'
import { Id, IdParams, Instant, Latitude, Longitude } from '#contracts/lib/common.ts'
import { EVENT_TYPES } from '#contracts/lib/constants.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { Receipt } from '#contracts/positions.ts'
import { Duration } from './clock.ts'

const Point = z.object({ lat: Latitude, lng: Longitude })
const SimState = z.object({
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

/** Steers the trackers of the world, which otherwise move by themselves. */
export const sim = {
  read: {
    method: 'GET',
    path: '/mock/sim',
    summary: 'Tells whether trackers move, and which of them somebody has sent on a way or silenced',
    access: 'public',
    response: { 200: SimState },
    safety: 'read',
    provenance: 'assumed',
  },
  set: {
    method: 'PUT',
    path: '/mock/sim',
    summary: 'Stops all trackers or lets them go on',
    access: 'public',
    body: z.strictObject({ is_running: z.boolean() }),
    response: { 200: SimState },
    safety: 'reversible',
    provenance: 'assumed',
  },
  drive: {
    ...ofTracker,
    path: '/mock/sim/trackers/:id/drive',
    summary: 'Sends a tracker along points, the track of a GPX file, or the streets to addresses, from now on as time goes by',
    body: z.strictObject({
      route: z.optional(z.array(z.string()).check(z.minLength(1), z.maxLength(20))),
      points: z.optional(z.array(Point).check(z.minLength(1), z.maxLength(5000))),
      gpx: z.optional(z.string()),
      speed_kmh: z._default(z.number().check(z.minimum(0.1), z.maximum(1000)), 30),
      every_seconds: z._default(z.int().check(z.minimum(1), z.maximum(3600)), 30),
    }),
    response: { 200: z.object({ metres: z.int(), positions: z.int(), ends_at: Instant }) },
  },
  position: {
    ...ofTracker,
    path: '/mock/sim/trackers/:id/position',
    summary: 'Lets a tracker report a position now; a second report of the same second is ignored, as of any tracker',
    body: z.strictObject({
      ...Point.shape,
      precision: z._default(z.int().check(z.minimum(0), z.maximum(100_000)), 5),
      battery: z.optional(z.number()),
    }),
    response: { 200: Receipt },
  },
  event: {
    ...ofTracker,
    path: '/mock/sim/trackers/:id/event',
    summary: 'Lets a tracker report an event now, where it was last',
    body: z.strictObject({ type: z.enum(EVENT_TYPES), battery: z.optional(z.number()) }),
    response: { 200: Receipt },
  },
  communicate: {
    ...ofTracker,
    path: '/mock/sim/trackers/:id/communicate',
    summary: 'Lets a tracker call in without a position: a mode on its way arrives',
    response: { 200: Receipt },
  },
  silence: {
    ...ofTracker,
    path: '/mock/sim/trackers/:id/silence',
    summary: 'Lets a tracker say nothing for a while, or for ever: after 90 days its network is lost. PT0S ends it',
    body: z.strictObject({ for: z.optional(Duration) }),
    response: { 200: SimState },
  },
} as const satisfies Contract
