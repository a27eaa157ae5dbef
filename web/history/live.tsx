import { useLive } from '#web/trackers/live/use-live.ts'

/** Today goes on while it is looked at. */
export function Live() {
  useLive()
  return null
}
