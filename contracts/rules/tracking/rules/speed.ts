import { distanceMeters, type Fix } from '#contracts/rules/geo/coordinates.ts'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import type { RuleOf, RuleState } from './rule.ts'

/** A speed (km/h), and since when (ms) the tracker had it: a computed one is the mean since the fix before. */
export type Reading = { speed: number; since: number; at: number }

/** Two fixes further apart say nothing about the time between them. */
const MAX_GAP_MS = 20 * MINUTE_MS

/**
 * The speed at a fix that is believed: the one that the tracker sent, or computed from the fix before. A computed one is the least that the
 * precision of both fixes allows, so that drift is no speed. Null without either.
 */
export function readSpeed(before: Fix | null, fix: Fix, sent: number | null): Reading | null {
  const at = fix.datetime
  if (sent !== null) return { speed: sent, since: at, at }
  if (before === null || at <= before.datetime) return null
  const meters = Math.max(0, distanceMeters(before, fix) - before.precision - fix.precision)
  return { speed: (meters / ((at - before.datetime) / 1000)) * 3.6, since: before.datetime, at }
}

/**
 * Follows one reading. The rule fires once the tracker has been faster for the seconds, and again only after it has been slower for as long.
 * Readings more than 20 minutes apart do not add up. `lastAt`: the time of the reading before, if any.
 */
export function followSpeed(
  { over, seconds }: RuleOf<'speed'>,
  state: RuleState,
  { speed, since, at }: Reading,
  lastAt: number | null,
): { state: RuleState; fires: boolean } {
  const isConnected = lastAt !== null && at - lastAt <= MAX_GAP_MS
  const isFast = speed > over
  const start = (isConnected ? (isFast ? state.above : state.below) : undefined) ?? since
  const holds = at - start >= seconds * 1000
  if (isFast && holds && !state.isSpent) return { state: { isSpent: true }, fires: true }
  const next: RuleState = state.isSpent ? (isFast ? SPENT : holds ? {} : { isSpent: true, below: start }) : isFast ? { above: start } : {}
  return { state: isSame(next, state) ? state : next, fires: false }
}

const SPENT: RuleState = { isSpent: true }

const isSame = (a: RuleState, b: RuleState) => a.isSpent === b.isSpent && a.above === b.above && a.below === b.below
