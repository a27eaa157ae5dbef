const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Lifetime of a visitor's world in milliseconds: after the last request, and in all. */
export const IDLE_MS = 2 * HOUR
export const LONGEST_MS = 24 * HOUR

/** Worlds at once. The least recently used one is removed first, and an address removes its own before those of others. */
export const MOST_WORLDS = 300
export const MOST_WORLDS_OF_ADDRESS = 30
export const NEW_WORLDS = { max: 60, ms: HOUR }

/** A new world has about 1 MB; SQLite refuses to grow beyond this. */
export const MOST_BYTES = 8 * 1024 * 1024
export const MOST_UPLOADED = 256 * 1024

/** Requests per visitor, without map tiles; leaps of the clock per address, because each takes about a second. */
export const CALLS = { max: 300, ms: MINUTE }
export const LEAPS = { max: 6, ms: MINUTE }
export const CLOCK = { leapDays: 31, rate: 60 }

/** Shared copies: in all, per address, and their lifetime. */
export const MOST_SHARES = 100
export const MOST_SHARES_OF_ADDRESS = 10
export const SHARED_MS = 7 * 24 * HOUR

/** The seed data of a new world ends at most this long ago. */
export const TEMPLATE_MS = 30 * MINUTE
