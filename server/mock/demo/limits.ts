import type { Clock } from '#server/ports/clock.ts'

/** Number of windows above which expired ones are removed. */
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

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Lifetime of a visitor's world in milliseconds: after the last request, and in total. */
export const IDLE_MS = 2 * HOUR_MS
export const MAX_LIFETIME_MS = 24 * HOUR_MS

/** A world is in use until this long after its last request or its page was hidden; one in use is never removed for a new visitor. */
export const IN_USE_MS = 10 * MINUTE_MS

/**
 * The most worlds at once. For a new one an address loses its own oldest before those of others. A lecture hall or a mobile carrier is one
 * address.
 */
export const MAX_WORLDS = 300
export const MAX_WORLDS_PER_ADDRESS = 100
export const NEW_WORLDS_RATE = { max: 200, ms: HOUR_MS }

export type Room = typeof ROOM
/** Tests of full demos have less room, because hundreds of worlds take half a minute. */
export const ROOM = { worlds: MAX_WORLDS, perAddress: MAX_WORLDS_PER_ADDRESS, rate: NEW_WORLDS_RATE }

/** Number of ended worlds for which visitors are told why their world ended. */
export const MAX_ENDED_WORLDS = 2000

/** A new world has about 1 MB; SQLite rejects growth beyond this. */
export const MAX_WORLD_BYTES = 8 * 1024 * 1024
export const MAX_UPLOAD_BYTES = 256 * 1024

/** Requests per visitor, without map tiles; jumps of the clock per address, because each takes about a second. */
export const REQUEST_RATE = { max: 300, ms: MINUTE_MS }
export const LEAP_RATE = { max: 6, ms: MINUTE_MS }
export const CLOCK_LIMITS = { leapDays: 31, rate: 60 }

/** Limits of shared copies: in total, per address, and their lifetime. */
export const MAX_SHARES = 100
export const MAX_SHARES_PER_ADDRESS = 10
export const SHARE_LIFETIME_MS = 7 * 24 * HOUR_MS

/** The seed data of a new world ends at most this long ago. */
export const MAX_TEMPLATE_AGE_MS = 30 * MINUTE_MS
