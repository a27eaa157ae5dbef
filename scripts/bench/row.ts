import type { Lab } from './lab.ts'

export type Goal = { atLeast: number } | { atMost: number }
export type Figure = { value: number; unit: string }

/** The measurement of a row. `ratio` is ours / floor, or ours alone without a floor. */
export type Outcome = {
  ours: Figure
  floor: Figure | null
  ratio: number
}

/** `quick` rows run by default; the others with their flag, or when `--only` names them. */
type Tier = 'quick' | 'all' | 'growth'

export type Row = {
  /** Begins with the number of the row in docs/performance.md: `H4/1000`. */
  id: string
  name: string
  /** The floor that ours is compared with, in the same run. */
  floor: string
  goal: Goal
  tier?: Tier
  measure(lab: Lab): Promise<Outcome>
}

export type Verdict = 'ok' | 'MISSED'

export const atLeast = (ratio: number): Goal => ({ atLeast: ratio })
export const atMost = (ratio: number): Goal => ({ atMost: ratio })

/** Rates per second: more is better, so their goal is `atLeast`. */
export const compareFigures = (ours: number, floor: number, unit: string): Outcome => ({
  ours: { value: ours, unit },
  floor: { value: floor, unit },
  ratio: ours / floor,
})

/** A figure without a floor, in its own unit. */
export const absolute = (value: number, unit: string): Outcome => ({ ours: { value, unit }, floor: null, ratio: value })

export const judge = ({ goal }: Row, { ratio }: Outcome): Verdict =>
  ('atLeast' in goal ? ratio >= goal.atLeast : ratio <= goal.atMost) ? 'ok' : 'MISSED'
