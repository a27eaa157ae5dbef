import * as z from 'zod/mini'
import { Id, Instant, openEnum } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import { type Route, stream } from '#contracts/lib/route.ts'
import type { Scope } from '#contracts/lib/scopes.ts'
import { EVENT_TYPES } from '#contracts/rules/tracking/reporting.ts'
import { TrackerConfig, TrackerStatus } from '#contracts/trackers/devices.ts'

/**
 * Payloads of the live stream by event name; `device` is the tracker's id. `position`: it reported a newer fix. `status`: it sent a message
 * without a fix, its subscription ended, or a public link of it did (`is_public` says whether another one still works). `mode` and
 * `network`: its settings changed. `alert`: an alert fired or its battery is low.
 */
export const liveEvents = {
  position: z.object({ device: Id, tracker_status: TrackerStatus }),
  status: z.object({ device: Id, tracker_status: TrackerStatus, is_public: z.optional(z.boolean()) }),
  mode: z.object({ device: Id, tracker_config: TrackerConfig }),
  network: z.object({ device: Id, tracker_config: TrackerConfig }),
  alert: z.object({
    device: Id,
    type: openEnum(EVENT_TYPES),
    place: z.nullable(z.object({ id: Id, name: z.string() })),
    /** The other tracker of a rule about two; absent for other alerts. */
    other: z.optional(Id),
    datetime: Instant,
    /** Its number in the list of fired alerts; absent if no alert of the account watches it. */
    firing: z.optional(Id),
  }),
}

/** Sent instead of the missed events to a client that was away longer than events are stored; the client then reloads everything. */
export const LIVE_RESET = 'reset'

export type LiveType = keyof typeof liveEvents

/** The scope that an API token needs for each event of the stream; the stream itself needs `positions:read`. */
export const LIVE_SCOPES = {
  position: 'positions:read',
  status: 'positions:read',
  mode: 'trackers:read',
  network: 'trackers:read',
  alert: 'alerts:read',
} as const satisfies Record<LiveType, Scope>
export type LiveBody<T extends LiveType> = z.infer<(typeof liveEvents)[T]>

/** Separate from the other endpoints of `positions.ts`, because the map page needs only this one. */
export const liveStream = {
  method: 'GET',
  path: '/devices/live/',
  summary: 'Streams position, status, mode, alert and network events; resumes after `Last-Event-ID`',
  access: rights.readTrackers,
  scope: 'positions:read',
  showsPositions: true,
  response: { 200: stream('text/event-stream') },
  safety: 'read',
  provenance: 'assumed',
} as const satisfies Route
