import { type Files, pick } from './finding.ts'

/** A requirement of `docs/rules.md`: its id, the levels it is tested on, and its words. */
export type Row = { id: string; levels: string[]; words: string }

const ROW = /^- \*\*(R-\d+\.\d+)\*\* \[([A-Z -]*)\] (.+)$/gm

export const parseRows = (text: string): Row[] =>
  [...text.matchAll(ROW)].map(([, id = '', levels = '', words = '']) => ({ id, levels: levels.match(/[A-Z]/g) ?? [], words }))

/** The tests of scripts/ contain rule ids as examples. */
const isTestFile = (path: string) => /\.(test\.tsx?|spec\.ts)$/.test(path) && !path.startsWith('scripts/')

/** `test('…')`, `test.each(…)('…')`, `describe('…')`: the name is the string that opens the call. */
const NAME = /(?:\b(?:test|it|describe)(?:\.\w+)*|\))\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g

/** A string that begins with an id is a row of a table test and becomes part of the test's name. */
const TABLE_ROW = /(['"`])(R-\d+\.\d+(?:\\.|(?!\1)[^\\\n])*)\1/g

const ID = /R-(\d+)\.(\d+)(?:\s*(?:…|\.\.\.?|–)\s*(?:R-)?(?:(\d+)\.)?(\d+))?/g

/** Returns the ids in a text; a range such as `R-4.6…R-4.8` gives each of its ids. */
export const idsIn = (text: string): string[] =>
  [...text.matchAll(ID)].flatMap(([, section, first, lastSection, last]) => {
    const from = Number(first)
    const to = last !== undefined && (lastSection === undefined || lastSection === section) ? Number(last) : from
    return Array.from({ length: Math.max(1, to - from + 1) }, (_, index) => `R-${section}.${from + index}`)
  })

export const coveredRows = (files: Files) =>
  new Set(
    pick(files, isTestFile).flatMap(([, text]) =>
      [...text.matchAll(NAME), ...text.matchAll(TABLE_ROW)].flatMap((match) => idsIn(match[2] ?? '')),
    ),
  )

export const reportOf = (rows: Row[], covered: ReadonlySet<string>) => {
  const open = rows.filter((row) => !covered.has(row.id))
  const known = new Set(rows.map((row) => row.id))
  const share = rows.length === 0 ? 0 : Math.round(((rows.length - open.length) / rows.length) * 100)
  return {
    lines: [
      `${rows.length - open.length} of ${rows.length} rows have a test (${share} %)`,
      ...open.map(({ id, levels, words }) => `${[id, ...levels].join(' ')} has none: ${words}`),
    ],
    strangers: [...covered].filter((id) => !known.has(id)),
  }
}
