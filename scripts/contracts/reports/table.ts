import { isBroken } from '#scripts/contracts/client/verdict.ts'
import { linesOf, type Report, titleOf } from './report.ts'

const WIDE = 12
const NAME = 46

export function table({ base, results, assumed, mended, counts, clean }: Report): string {
  const levels = [...new Set(results.map(({ level }) => level))]
  return [
    base,
    ...levels.flatMap((level) => ['', level, ...results.filter((line) => line.level === level).flatMap(rows)]),
    '',
    'assumed',
    ...assumed.map(({ name, state, reason }) => `  ${state.padEnd(WIDE)}${name.padEnd(NAME)} ${reason}`.trimEnd()),
    ...(mended.length > 0 ? ['', 'mended, take it out of the baseline', ...mended.map((one) => `  ${one}`)] : []),
    '',
    Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([verdict, count]) => `${count} ${verdict}`)
      .join(', '),
    clean ? 'Clean.' : 'Not clean.',
    '',
  ].join('\n')
}

const rows = (line: Report['results'][number]) => [
  `  ${(line.known && isBroken(line.verdict) ? `(${line.verdict})` : line.verdict).padEnd(WIDE)}${titleOf(line).padEnd(NAME)} ${line.note}`.trimEnd(),
  ...linesOf(line).map((one) => `  ${''.padEnd(WIDE)}  ${one}`),
]
