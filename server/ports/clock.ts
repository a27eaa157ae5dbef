/** The only source of "now" (D-40). */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }
