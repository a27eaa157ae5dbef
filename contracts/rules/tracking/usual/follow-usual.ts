import type { Fix } from '#contracts/rules/geo/coordinates.ts'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import type { RuleState } from '#contracts/rules/tracking/rules/rule.ts'
import { type Cells, distanceToCells, isNearCells } from './cells.ts'

/** How far from every usual cell a tracker is still where it usually is, in metres. */
const USUAL_METERS = 300
/** A vaguer fix says nothing about being away. */
const VAGUE_METERS = 2000
/** One wrong fix is not enough: so many in a row, or all of so many minutes. */
const AWAY = { fixes: 3, minutes: 10 } as const

/**
 * Follows one fix. The rule fires once the tracker has certainly been away from everything usual for three fixes or ten minutes, with the
 * metres to it, and again only after the tracker was back. A fix that may be on either side changes nothing.
 */
export function followUsual(cells: Cells, state: RuleState, fix: Fix): { state: RuleState; meters: number | null } {
  if (cells.size === 0) return { state, meters: null }
  const { isSpent, awaySince = fix.datetime, awayFixes = 0 } = state
  if (isNearCells(cells, fix, USUAL_METERS)) return { state: isSpent || awayFixes > 0 ? {} : state, meters: null }
  if (isSpent || fix.precision > VAGUE_METERS || isNearCells(cells, fix, USUAL_METERS + fix.precision)) return { state, meters: null }
  const isAway = awayFixes + 1 >= AWAY.fixes || fix.datetime - awaySince >= AWAY.minutes * MINUTE_MS
  if (!isAway) return { state: { awaySince, awayFixes: awayFixes + 1 }, meters: null }
  return { state: { isSpent: true }, meters: Math.round(distanceToCells(cells, fix)) }
}
