import { MINUTE_MS } from '#contracts/rules/time.ts'
import { hasDeadline, type Rule, type RuleState, type Schedule } from './rule.ts'
import { nextDeadline } from './schedule.ts'
import { type Reporter, silenceDue } from './silence.ts'

/** A tracker as far as timed rules depend on it. `positionAt`: the time of its newest position (ms); `isInside`: null if unknown. */
export type TimedFacts = { reporter: Reporter; positionAt: number | null; isInside: boolean | null; timeZone: string }

type Timed = { rule: Rule; schedule: Schedule | null; state: RuleState }

/**
 * When a timed rule has to be looked at again (ms) unless something changes; null if nothing can fall due. For `silent` and `stands` what
 * was due when the rule began does not count.
 */
export function nextDue({ rule, schedule, state }: Timed, { reporter, timeZone }: TimedFacts): number | null {
  const { from = Number.NEGATIVE_INFINITY } = state
  if (rule.kind === 'silent') {
    const due = silenceDue(reporter)
    return due === null || due <= from || reporter.lastMessageAt === state.stay ? null : due
  }
  if (rule.kind === 'stands') {
    const { stationarySince } = reporter
    if (stationarySince === null || stationarySince === state.stay) return null
    const due = stationarySince + rule.minutes * MINUTE_MS
    return due <= from ? null : due
  }
  if (hasDeadline(rule)) return nextDeadline(rule.by, schedule, state.judgedAt ?? from, timeZone)
  return null
}

/**
 * Moves a timed rule to `now`. Returns the instants (ms) at which it fired, and its next one. A stay that became known late fires at the
 * newest position. An unknown side of a border fires nothing: a tracker without a position is no news of anybody.
 */
export function advanceTimed(timed: Timed, facts: TimedFacts, now: number): { state: RuleState; firedAt: number[]; due: number | null } {
  const { rule, schedule } = timed
  const firedAt: number[] = []
  let { state } = timed
  if (hasDeadline(rule)) {
    // After a change of the time zone only what comes now counts.
    if (state.zone !== undefined && state.zone !== facts.timeZone) state = { ...state, judgedAt: now }
    state = { ...state, judgedAt: state.judgedAt ?? state.from ?? now, zone: facts.timeZone }
    const isAmiss = facts.isInside === (rule.kind === 'not_left')
    let due = nextDue({ rule, schedule, state }, facts)
    while (due !== null && due <= now) {
      if (isAmiss) firedAt.push(due)
      state = { ...state, judgedAt: due }
      due = nextDue({ rule, schedule, state }, facts)
    }
    return { state, firedAt, due }
  }
  const due = nextDue({ rule, schedule, state }, facts)
  if (due === null || due > now) return { state, firedAt, due }
  const { lastMessageAt, stationarySince } = facts.reporter
  const of = rule.kind === 'silent' ? lastMessageAt : stationarySince
  return {
    state: { ...state, stay: of ?? due },
    firedAt: [rule.kind === 'stands' ? Math.max(due, facts.positionAt ?? due) : due],
    due: null,
  }
}
