import { computeService } from '#contracts/rules/service.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { readGraceDays } from '#web/lib/config.ts'

/** Whether a tracker is in service, in grace or resting. A backend without days of grace decides by itself, so its trackers never rest. */
export const trackerService = (
  { type, tracker_status: { sub_state, sub_end_date }, added_at, grace_from, paused_from, paused_until }: Device,
  now: Date,
) =>
  computeService({ type, sub_state, sub_end_date, added_at: added_at ?? null, grace_from, paused_from, paused_until }, now, readGraceDays())
