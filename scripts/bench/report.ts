import { type Figure, type Goal, judge, type Outcome, type Row, type Verdict } from './row.ts'

export type Result = { row: Row; outcome: Outcome; verdict: Verdict }

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

export const formatListed = ({ id, name, floor, goal, tier = 'quick' }: Row) =>
  `${id.padEnd(WIDTHS.id)} ${name}: beside ${floor}, ${formatGoal(goal)}${tier === 'quick' ? '' : ` (--${tier})`}`

export const concludeRow = (row: Row, outcome: Outcome): Result => ({ row, outcome, verdict: judge(row, outcome) })

export function formatConclusion(results: readonly Result[]) {
  const missed = results.filter(({ verdict }) => verdict === 'MISSED').map(({ row }) => row.id)
  const met = `${results.length} rows measured, ${results.length - missed.length} meet their goal`
  return missed.length > 0 ? `${met}\nmissed: ${missed.join(', ')}` : met
}
