import type { Lab } from './lab.ts'

export type Goal = { atLeast: number } | { atMost: number }
export type Figure = { value: number; unit: string }

/** The measurement of a row. `ratio` is ours / floor, or ours alone without a floor. */
export type Outcome = {
  ours: Figure
  floor: Figure | null
  ratio: number
  /** The floor in the first and in the second half of the rounds; they differ when something else used the machine. */
  halves?: [number, number]
}

/** `quick` rows run by default; the others with their flag, or when `--only` names them. */
type Tier = 'quick' | 'all' | 'growth'

export type MeasuredRow = {
  /** Begins with the number of the row in docs/performance.md: `H4/1000`. */
  id: string
  name: string
  /** The floor that ours is compared with, in the same run. */
  floor: string
  goal: Goal
  tier?: Tier
  measure(lab: Lab): Promise<Outcome>
}

/** A row that cannot be measured on this machine, and the reason. */
export type OmittedRow = { id: string; name: string; omitted: string }

export type Row = MeasuredRow | OmittedRow

export type Verdict = 'ok' | 'MISSED' | 'unsteady'

export const atLeast = (ratio: number): Goal => ({ atLeast: ratio })
export const atMost = (ratio: number): Goal => ({ atMost: ratio })

/** Rates per second: more is better, so their goal is `atLeast`. */
export const compareFigures = (ours: number, floor: number, unit: string, halves?: [number, number]): Outcome => ({
  ours: { value: ours, unit },
  floor: { value: floor, unit },
  ratio: ours / floor,
  ...(halves && { halves }),
})

/** A figure without a floor, in its own unit. */
export const absolute = (value: number, unit: string): Outcome => ({ ours: { value, unit }, floor: null, ratio: value })

/** Above this value, the machine was too busy with something else to judge. */
const MOST_DIFFERENCE = 0.25

export const isSteady = ([first, second]: [number, number]) => Math.abs(first - second) <= MOST_DIFFERENCE * Math.max(first, second)

const meetsGoal = (ratio: number, goal: Goal) => ('atLeast' in goal ? ratio >= goal.atLeast : ratio <= goal.atMost)

/** A missed goal counts only when the floor was steady; a met one always counts. */
export function judge({ goal }: MeasuredRow, { ratio, halves }: Outcome): Verdict {
  if (meetsGoal(ratio, goal)) return 'ok'
  return halves && !isSteady(halves) ? 'unsteady' : 'MISSED'
}
