/** Minutes for which a tracker may have to stand: from the shortest stop to 30 days. */
export const STANDS = { min: 10, max: 43_200 } as const

/** Limits in km/h, and seconds for which a tracker must be faster. */
export const SPEED = { over: { min: 5, max: 400 }, seconds: { min: 0, max: 3600 } } as const

/** Metres between two trackers: less than 50 is hardly more than the precision of their positions. */
export const PAIR_METERS = { min: 50, max: 100_000 } as const
