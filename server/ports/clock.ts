/** The only source of the current time. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** Watches whether the clock of a production server is right. */
export type ClockGuard = {
  /** Whether the clock is right as far as known. Looks for a jump since the last check. */
  isTrusted(): boolean
  /** `offset`: milliseconds by which the clock is ahead of the one that it was compared with. `reason`: one sentence while it is in doubt. */
  state(): { offset: number; reason: string | null }
}
