import { useLive } from '#web/lib/trackers/use-live.ts'

/** Today goes on while it is looked at. */
export function Live() {
  useLive()
  return null
}
