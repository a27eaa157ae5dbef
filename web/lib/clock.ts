import { useSyncExternalStore } from 'react'

/** The portal's sense of time; tests put their own in. */
export const clock = { now: () => new Date() }

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
