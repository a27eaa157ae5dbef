import { type Figure, type Goal, isSteady, judge, type MeasuredRow, type Outcome, type Row, type Verdict } from './row.ts'

export type Result = { row: MeasuredRow; outcome: Outcome; verdict: Verdict }

const WIDTHS = { id: 9, name: 56, ours: 13, floor: 13, ratio: 8, goal: 9 }

const formatCount = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const formatNumber = (value: number) => (value >= 1000 ? formatCount.format(value) : value.toPrecision(3))
const formatFigure = ({ value, unit }: Figure) => `${formatNumber(value)}${unit.startsWith('/') ? '' : ' '}${unit}`
const formatGoal = (goal: Goal) => ('atLeast' in goal ? `>= ${goal.atLeast}` : `<= ${goal.atMost}`)
const formatRatio = (ratio: number) => (ratio >= 100 ? ratio.toFixed(0) : ratio.toFixed(ratio < 0.1 ? 3 : 2))

export const formatHeader = () => formatCells({ id: 'row', name: 'measured', ours: 'ours', floor: 'floor', ratio: 'ratio', goal: 'goal' })

export const formatRow = ({ row, outcome, verdict }: Result) =>
  `${formatCells({
    id: row.id,
    name: row.name,
    ours: formatFigure(outcome.ours),
    floor: outcome.floor ? formatFigure(outcome.floor) : '',
    ratio: outcome.floor ? formatRatio(outcome.ratio) : '',
    goal: formatGoal(row.goal),
  })}  ${verdict}`

const formatCells = (cells: Record<keyof typeof WIDTHS, string>) =>
  [
    cells.id.padEnd(WIDTHS.id),
    cells.name.padEnd(WIDTHS.name),
    ...(['ours', 'floor', 'ratio', 'goal'] as const).map((name) => cells[name].padStart(WIDTHS[name])),
  ].join(' ')

export const formatListed = (row: Row) =>
  `${row.id.padEnd(WIDTHS.id)} ${row.name}: ${'omitted' in row ? `not measured, ${row.omitted}` : `beside ${row.floor}, ${formatGoal(row.goal)}${row.tier && row.tier !== 'quick' ? ` (--${row.tier})` : ''}`}`

export const concludeRow = (row: MeasuredRow, outcome: Outcome): Result => ({ row, outcome, verdict: judge(row, outcome) })

/** The rate of the floor's hello request before the first row and after the last, per second. */
export type Calibration = [before: number, after: number]

/** 0: all goals are met. 1: a goal is missed. 2: the machine's speed changed too much during the run for a verdict. */
export function exitCode(results: readonly Result[], calibration: Calibration) {
  if (results.every(({ verdict }) => verdict === 'ok')) return 0
  if (!isSteady(calibration)) return 2
  return results.some(({ verdict }) => verdict === 'MISSED') ? 1 : 2
}

export function formatConclusion(
  results: readonly Result[],
  calibration: Calibration,
  machine: { stolen: number; lost: number; longest: number },
) {
  const missed = results.filter(({ verdict }) => verdict === 'MISSED').map(({ row }) => row.id)
  const unsteady = results.filter(({ verdict }) => verdict === 'unsteady').map(({ row }) => row.id)
  const percent = (share: number) => `${(share * 100).toFixed(0)} %`
  return [
    `CPU: ${percent(machine.stolen)} stolen by the count of the host, ${percent(machine.lost)} of a busy loop's time lost, longest gap ${machine.longest.toFixed(1)} ms`,
    `floor before and after: ${formatNumber(calibration[0])}/s, ${formatNumber(calibration[1])}/s`,
    `${results.length} rows measured, ${results.length - missed.length - unsteady.length} meet their goal`,
    ...(missed.length > 0 ? [`missed: ${missed.join(', ')}`] : []),
    ...(unsteady.length > 0 ? [`unsteady, measure again on a quiet machine: ${unsteady.join(', ')}`] : []),
    ...(isSteady(calibration) ? [] : ['This run is invalid: the floor differs by more than 25 % between its beginning and its end.']),
  ].join('\n')
}
