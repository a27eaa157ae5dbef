import type { Fix } from '#contracts/rules/geo/coordinates.ts'
import { createFilter, type FilterState, judgeFix, type Reason } from '#contracts/rules/history/filter.ts'
import { hasStartedMoving } from './alert.ts'
import { advancePace, type Dwell, followDwell, type Pace, rateStep, type Step, UNKNOWN_PACE } from './crossing.ts'

/** The state of earlier fixes that is needed to judge the next one. `dwell`: the place where the tracker rests, or was last seen. */
export type FollowState = { filter: FilterState; pace: Pace; dwell: Dwell | null }

export const createFollowState = (): FollowState => ({ filter: createFilter(), pace: UNKNOWN_PACE, dwell: null })

/** A new mark for the fixes of a period, in seconds. */
export type Judgement = { first: number; last: number; reason: Reason | null }

/** `judgements`: new marks of this fix and of earlier ones. `restBefore`: since when (ms) the tracker had rested; null if it moved. */
type Followed = { step: Step; judgements: Judgement[]; isBelieved: boolean; restBefore: number | null; hasStarted: boolean }

/**
 * Follows a tracker to a newer fix, and changes `state`. Alerts and the motion of the tracker only follow a fix that is believed. This is the
 * one function that decides so, both when a position arrives and when an alert is tried on stored ones.
 */
export function followTracker(state: FollowState, fix: Fix): Followed {
  const step = rateStep(state.pace, state.dwell, fix)
  state.pace = advancePace(state.pace, fix.datetime)
  const judgements = judgeNext(state, fix)
  const restBefore = state.dwell?.since ?? null
  const isBelieved =
    (judgements.findLast(({ first, last }) => first <= fix.datetime / 1000 && fix.datetime / 1000 <= last)?.reason ?? null) === null
  if (!isBelieved) return { step, judgements, isBelieved, restBefore, hasStarted: false }
  state.dwell = followDwell(state.dwell, fix, step)
  return { step, judgements, isBelieved, restBefore, hasStarted: hasStartedMoving(restBefore, state.dwell.since, fix.datetime) }
}

/** Judges a newer fix and those before it. Changes `state`. */
function judgeNext({ filter }: Pick<FollowState, 'filter'>, fix: Fix): Judgement[] {
  const number = filter.count
  const before = describeSegments(filter)
  const verdicts = judgeFix(filter, fix)
  if (verdicts.length === 0) return []
  // A verdict may concern a segment that was dropped meanwhile, or a new one.
  const segments = [...before, ...describeSegments(filter)]
  return verdicts.map(({ first, last, reason }) => ({ first: findStart(first) / 1000, last: findEnd(last) / 1000, reason }))

  function findStart(first: number) {
    if (first === number) return fix.datetime
    const start = segments.find((segment) => segment.first === first)?.since
    // A stale fix comes after the first one at the repeated position.
    return start ?? (segments.find(({ repeat }) => repeat.first + 1 === first)?.repeat.since ?? fix.datetime) + 1000
  }

  function findEnd(last: number) {
    return last === number ? fix.datetime : (segments.find((segment) => segment.last === last)?.end ?? fix.datetime)
  }
}

const describeSegments = ({ segments }: FilterState) =>
  segments.map(({ first, since, last, repeat, fix }) => ({ first, since, last, repeat, end: fix.datetime }))
