import { parseArgs } from 'node:util'
import type { Row } from './row.ts'

export type Families = Record<string, Row[]>
export type Options = { all: boolean; growth: boolean; millions: number; only: string[]; list: boolean; help: boolean; postgres: boolean }

export const HELP = `Usage: npm run bench -- [options]

Measures what docs/performance.md promises, each row as a ratio to its own floor in the same run.

  (none)            the quick rows, about three minutes
  --all             also the slow rows
  --growth          only the row about a growing table, from 1 to 10 million positions
  --millions=50     how far the table grows
  --only=H4,D5      only these rows or families, whatever their tier
  --postgres        the same server on SQLite and on PostgreSQL, side by side; --only=list,mixed
                    selects its rows by a part of their names
  --list            names the rows and ends
  --help            this text

Exit code: 0 all goals are met, 1 a goal is missed, which a busy machine can cause.
`

/** Throws one readable sentence on an unknown option. */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      all: { type: 'boolean', default: false },
      growth: { type: 'boolean', default: false },
      millions: { type: 'string', default: '10' },
      only: { type: 'string', multiple: true, default: [] },
      postgres: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const millions = Number(values.millions)
  if (!(Number.isInteger(millions) && millions >= 2)) throw new Error('--millions must be a whole number from 2 on')
  return { ...values, millions, only: values.only.flatMap((list) => list.split(',')).filter(Boolean) }
}

/** Returns the rows to run, in the order of the families. Throws when a name of `--only` matches nothing. */
export function selectRows(families: Families, { only, all, growth }: Pick<Options, 'only' | 'all' | 'growth'>): Row[] {
  const named = Object.entries(families).flatMap(([family, rows]) => rows.map((row) => ({ family, row })))
  const matches = (name: string) => named.filter(({ family, row }) => name === family || row.id === name || row.id.startsWith(`${name}/`))
  const unknown = only.filter((name) => matches(name).length === 0)
  if (unknown.length > 0) throw new Error(`No row or family is called ${unknown.join(', ')}; --list names them`)
  if (only.length > 0) {
    const wanted = new Set(only.flatMap((name) => matches(name).map(({ row }) => row)))
    return named.map(({ row }) => row).filter((row) => wanted.has(row))
  }
  return named.map(({ row }) => row).filter((row) => runsByDefault(row, { all, growth }))
}

function runsByDefault(row: Row, { all, growth }: Pick<Options, 'all' | 'growth'>) {
  const { tier = 'quick' } = row
  if (growth && !all) return tier === 'growth'
  return tier === 'quick' || (tier === 'all' && all) || (tier === 'growth' && growth)
}
