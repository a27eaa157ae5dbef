import type { Clock } from '#server/ports/clock.ts'

/** Number of windows beyond which the expired ones are removed. */
const MAX_WINDOWS = 10_000

/** Allows `max` requests per key in a window that starts with the first one. Returns the seconds to wait, 0 when allowed. */
export function createRateLimit({ max, ms }: { max: number; ms: number }, wall: Clock) {
  const windows = new Map<string, { count: number; ends: number }>()
  return (key: string) => {
    const now = wall.now().getTime()
    if (windows.size > MAX_WINDOWS) for (const [old, { ends }] of windows) if (ends <= now) windows.delete(old)
    const known = windows.get(key)
    const window = known && known.ends > now ? known : { count: 0, ends: now + ms }
    windows.set(key, window)
    window.count++
    return window.count > max ? Math.ceil((window.ends - now) / 1000) : 0
  }
}
