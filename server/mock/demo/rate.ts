import type { Clock } from '#server/ports/clock.ts'

/** Windows that are over are forgotten once there are so many. */
const MANY = 10_000

/** Counts by key: `max` in a window, which begins with its first. Answers the seconds to wait, 0 when it may go on. */
export function createRate({ max, ms }: { max: number; ms: number }, wall: Clock) {
  const windows = new Map<string, { count: number; ends: number }>()
  return (key: string) => {
    const now = wall.now().getTime()
    if (windows.size > MANY) for (const [old, { ends }] of windows) if (ends <= now) windows.delete(old)
    const known = windows.get(key)
    const window = known && known.ends > now ? known : { count: 0, ends: now + ms }
    windows.set(key, window)
    window.count++
    return window.count > max ? Math.ceil((window.ends - now) / 1000) : 0
  }
}
