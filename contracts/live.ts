import * as z from 'zod/mini'
import { Id, Instant, open } from '#contracts/lib/common.ts'
import { EVENT_TYPES } from '#contracts/lib/constants.ts'
import { TrackerConfig, TrackerStatus } from './devices.ts'

/**
 * What the live stream tells, by the name of its event (D-32); `device` is the id of the tracker. `position`: it reported
 * a newer position. `status`: it spoke without one, its subscription ended, or a public link did; then `is_public` says
 * whether another still works. `mode` and `network`: its settings changed. `alert`: an alert fired or its battery is low.
 */
export const liveEvents = {
  position: z.object({ device: Id, tracker_status: TrackerStatus }),
  status: z.object({ device: Id, tracker_status: TrackerStatus, is_public: z.optional(z.boolean()) }),
  mode: z.object({ device: Id, tracker_config: TrackerConfig }),
  network: z.object({ device: Id, tracker_config: TrackerConfig }),
  alert: z.object({
    device: Id,
    type: open(EVENT_TYPES),
    place: z.nullable(z.object({ id: Id, name: z.string() })),
    datetime: Instant,
  }),
}

/** Told instead of what was missed, to a client that was away for longer than events are kept: it reads everything anew. */
export const LIVE_RESET = 'reset'

export type LiveType = keyof typeof liveEvents
export type LiveBody<T extends LiveType> = z.infer<(typeof liveEvents)[T]>
