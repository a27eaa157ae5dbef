import { SUB_STATES, type SubState } from '#contracts/lib/constants.ts'
import { type Instant, millis } from './instant.ts'

/** The state of a subscription now: an active one has ended once its end date has passed; no end date is unlimited (D-16). */
export const subStateAt = (stored: string, endDate: Instant | null, now: Date): SubState => {
  const state = knownSubState(stored)
  return state === 'active' && endDate !== null && millis(endDate) < now.getTime() ? 'ended' : state
}

/** A subscription without an end is not shortened by what is bought, renewed or linked (D-16). */
export const isUnlimited = (state: string, endDate: unknown) => state === 'active' && endDate === null

/** A value of another backend that nobody knows is treated as none. */
export const knownSubState = (value: string): SubState => SUB_STATES.find((state) => state === value) ?? 'none'
