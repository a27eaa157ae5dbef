const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** How long the world of a visitor lasts, in milliseconds: from the last call, and at the very most. */
export const IDLE_MS = 2 * HOUR
export const LONGEST_MS = 24 * HOUR

/** Worlds that live at once; the one that was used longest ago makes room. An address pushes out its own before those of others. */
export const MOST_WORLDS = 300
export const MOST_WORLDS_OF_ADDRESS = 30
export const NEW_WORLDS = { max: 60, ms: HOUR }

/** A world begins with one megabyte; SQLite refuses to grow beyond this. */
export const MOST_BYTES = 8 * 1024 * 1024
export const MOST_UPLOADED = 256 * 1024

/** Calls of one visitor, the map not counted; leaps of the clock, which take a second each, of one address. */
export const CALLS = { max: 300, ms: MINUTE }
export const LEAPS = { max: 6, ms: MINUTE }
export const CLOCK = { leapDays: 31, rate: 60 }

/** Copies that were shared: in all, of one address, and how long each is kept. */
export const MOST_SHARES = 100
export const MOST_SHARES_OF_ADDRESS = 10
export const SHARED_MS = 7 * 24 * HOUR

/** Trackers were last heard of so long ago at most when a world begins. */
export const TEMPLATE_MS = 30 * MINUTE
