/** The only source of the current time. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** Watches whether the clock of a production server is right. */
export type ClockGuard = {
  /** Whether the clock is right as far as known. Checks for a jump since the last call. */
  isTrusted(): boolean
  /** `offset`: milliseconds by which the clock is ahead of its reference. `reason`: one sentence while it is in doubt. */
  state(): { offset: number; reason: string | null }
}
