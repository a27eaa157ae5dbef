import { useLive } from '#web/trackers/live/use-live.ts'

/** Keeps today's history up to date while it is shown. */
export function LiveUpdates() {
  useLive()
  return null
}
