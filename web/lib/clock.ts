import { useSyncExternalStore } from 'react'

/** The `Date` header has whole seconds; less than this is no difference. */
const TOLERANCE_MS = 2000

let aheadMs = 0

/** The portal's sense of time: the server's, because a person's device may be set wrong and a test world has a time of its own. */
export const clock = {
  now: () => new Date(Date.now() + aheadMs),
  /** Takes the time of an answer's `Date` header; one that is missing or unreadable changes nothing. */
  follow(date: string | null) {
    const ahead = Date.parse(date ?? '') - Date.now()
    if (!Number.isNaN(ahead)) aheadMs = Math.abs(ahead) < TOLERANCE_MS ? 0 : ahead
  },
}

/** The time now, told again every `everyMs`; components that show an age call it. */
export function useNow(everyMs = 30_000): Date {
  useSyncExternalStore(
    (changed) => {
      const timer = setInterval(changed, everyMs)
      return () => clearInterval(timer)
    },
    () => Math.floor(clock.now().getTime() / everyMs),
  )
  return clock.now()
}
