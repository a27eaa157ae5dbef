import { type Files, findMatches, isCode, selectFiles } from './files.ts'
import type { Finding } from './runner.ts'

const RULES_FILE = 'docs/rules.md'

/** Ids of rules, such as `R-1.2`, `D-07`, `C-17`, `E-3` and `W-11`. */
const ID = /(?<![\w-])(?:R-\d+\.\d+|[DCEW]-\d+)(?![\w.]*\d)/g

const FOREIGN_DOCUMENT =
  /\b(?:spec(?:ification)?|requirements?|design(?:\.md)?|style(?:\.md)?|qa\.md)\s*§\s*\d+(?:\.\d+)*|\b(?:design|style|spec|requirements)\.md\b/gi

const RULE_LINE = /^- \*\*([RDCEW]-[\d.]+)\*\*/gm

const isExempt = (path: string) => path === RULES_FILE || path.startsWith('scripts/check/') || /^locales\/|\.(json|txt|sql)$/.test(path)

/**
 * Checks that every cited rule has its line in `docs/rules.md`, that each decision, clarification and example there is cited somewhere, and
 * that no text refers to a document outside the repository.
 */
export const checkCitations = (files: Files): Finding => {
  const rules = files.get(RULES_FILE)
  if (rules === undefined) return { fileCount: 0, problems: [`${RULES_FILE} is missing`] }
  const known = new Set([...rules.matchAll(RULE_LINE)].map(([, id = '']) => id))
  const texts = selectFiles(files, (path) => (isCode(path) || /\.(md|ya?ml|css|html)$|Dockerfile$/.test(path)) && !isExempt(path))
  const cited = texts.flatMap(([path, text]) => findMatches(text, ID).map(({ line, match }) => ({ path, line, id: match[0] })))
  const used = new Set([...cited.map(({ id }) => id), ...findMatches(rules.replace(RULE_LINE, ''), ID).map(({ match }) => match[0])])
  return {
    fileCount: texts.length,
    problems: [
      ...cited
        .filter(({ id }) => !known.has(id))
        .map(({ path, line, id }) => `${path}:${line} cites ${id}, which has no line in ${RULES_FILE}`),
      ...[...known].filter((id) => !id.startsWith('R-') && !used.has(id)).map((id) => `${RULES_FILE} has ${id}, which nothing cites`),
      ...texts.flatMap(([path, text]) =>
        findMatches(text, FOREIGN_DOCUMENT).map(
          ({ line, match }) => `${path}:${line} refers to "${match[0]}", which is not in this repository`,
        ),
      ),
    ],
    remark: `${known.size} rules, ${cited.length} citations`,
  }
}

/** A requirement of `docs/rules.md`: its id, the levels it is tested on, and its words. */
export type Requirement = { id: string; levels: string[]; words: string }

const REQUIREMENT_LINE = /^- \*\*(R-\d+\.\d+)\*\* \[([A-Z -]*)\] (.+)$/gm

export const parseRequirements = (text: string): Requirement[] =>
  [...text.matchAll(REQUIREMENT_LINE)].map(([, id = '', levels = '', words = '']) => ({ id, levels: levels.match(/[A-Z]/g) ?? [], words }))

/** The tests of scripts/ contain rule ids as examples. */
const isTestFile = (path: string) => /\.(test\.tsx?|spec\.ts)$/.test(path) && !path.startsWith('scripts/')

/** `test('…')`, `test.each(…)('…')`, `describe('…')`: the name is the string that opens the call. */
const TEST_NAME = /(?:\b(?:test|it|describe)(?:\.\w+)*|\))\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g

/** A string that begins with an id is a row of a table test and becomes part of the test's name. */
const TABLE_ROW = /(['"`])(R-\d+\.\d+(?:\\.|(?!\1)[^\\\n])*)\1/g

const ID_OR_RANGE = /R-(\d+)\.(\d+)(?:\s*(?:…|\.\.\.?|–)\s*(?:R-)?(?:(\d+)\.)?(\d+))?/g

/** Returns the ids in a text; a range such as `R-4.6…R-4.8` gives each of its ids. */
export const parseIds = (text: string): string[] =>
  [...text.matchAll(ID_OR_RANGE)].flatMap(([, section, first, lastSection, last]) => {
    const from = Number(first)
    const to = last !== undefined && (lastSection === undefined || lastSection === section) ? Number(last) : from
    return Array.from({ length: Math.max(1, to - from + 1) }, (_, index) => `R-${section}.${from + index}`)
  })

export const findCoveredIds = (files: Files) =>
  new Set(
    selectFiles(files, isTestFile).flatMap(([, text]) =>
      [...text.matchAll(TEST_NAME), ...text.matchAll(TABLE_ROW)].flatMap((match) => parseIds(match[2] ?? '')),
    ),
  )

export const formatCoverage = (rows: Requirement[], covered: ReadonlySet<string>) => {
  const open = rows.filter((row) => !covered.has(row.id))
  const known = new Set(rows.map((row) => row.id))
  const share = rows.length === 0 ? 0 : Math.round(((rows.length - open.length) / rows.length) * 100)
  return {
    lines: [
      `${rows.length - open.length} of ${rows.length} requirements have a test (${share} %)`,
      ...open.map(({ id, levels, words }) => `${[id, ...levels].join(' ')} has no test: ${words}`),
    ],
    unknownIds: [...covered].filter((id) => !known.has(id)),
  }
}
