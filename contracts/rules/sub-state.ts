import { SUB_STATES, type SubState } from '#contracts/lib/constants.ts'
import { type Instant, millis } from './instant.ts'

/** The current state of a subscription: an active one has ended once its end date has passed; without an end date it is unlimited. */
export const subStateAt = (stored: string, endDate: Instant | null, now: Date): SubState => {
  const state = knownSubState(stored)
  return state === 'active' && endDate !== null && millis(endDate) < now.getTime() ? 'ended' : state
}

/** Purchases, renewals and links never shorten a subscription without an end. */
export const isUnlimited = (state: string, endDate: unknown) => state === 'active' && endDate === null

/** An unknown state, sent by another backend, counts as none. */
export const knownSubState = (value: string): SubState => SUB_STATES.find((state) => state === value) ?? 'none'
