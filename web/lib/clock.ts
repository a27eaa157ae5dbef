import { useMemo, useSyncExternalStore } from 'react'

/** The `Date` header has whole seconds, so smaller differences are ignored. */
const TOLERANCE_MS = 2000

let aheadMs = 0

/** The portal's clock follows the server's, because the device's clock may be wrong and a test world has its own time. */
export const clock = {
  now: () => new Date(Date.now() + aheadMs),
  /** Sets the clock from the `Date` header of a response that arrived at `arrivedAt`; ignores a missing or unreadable one. */
  follow(date: string | null, arrivedAt = Date.now()) {
    const ahead = Date.parse(date ?? '') - arrivedAt
    if (!Number.isNaN(ahead)) aheadMs = Math.abs(ahead) < TOLERANCE_MS ? 0 : ahead
  },
}

/** The current time, updated every `everyMs`, for components that show an age. */
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

/** Like `useNow`, but returns the same object until the next update, so that memoized rows are not rendered again in between. */
export function useSteadyNow(everyMs = 30_000): Date {
  const now = useNow(everyMs)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `now` is a new object on each render
  return useMemo(() => now, [Math.floor(now.getTime() / everyMs)])
}
