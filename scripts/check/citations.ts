import { isCode, matches } from './code.ts'
import { type Files, type Finding, pick } from './finding.ts'

const RULES = 'docs/rules.md'

/** Ids of rules, such as `R-1.2`, `D-07`, `C-17`, `E-3` and `W-11`. */
const ID = /(?<![\w-])(?:R-\d+\.\d+|[DCEW]-\d+)(?![\w.]*\d)/g

/** References to documents that are not part of this repository. */
const ELSEWHERE =
  /\b(?:spec(?:ification)?|requirements?|design(?:\.md)?|style(?:\.md)?|qa\.md)\s*§\s*\d+(?:\.\d+)*|\b(?:design|style|spec|requirements)\.md\b/gi

const LINE = /^- \*\*([RDCEW]-[\d.]+)\*\*/gm

/** These files hold ids as examples, or are data. */
const isExempt = (path: string) => path === RULES || path.startsWith('scripts/check/') || /^locales\/|\.(json|txt|sql)$/.test(path)

/**
 * Checks that every cited rule has its line in `docs/rules.md`, that each decision, clarification and example there is cited somewhere, and
 * that no text refers to a document outside the repository.
 */
export const citations = (files: Files): Finding => {
  const rules = files.get(RULES)
  if (rules === undefined) return { looked: 0, problems: [`${RULES} is missing`] }
  const known = new Set([...rules.matchAll(LINE)].map(([, id = '']) => id))
  const texts = pick(files, (path) => (isCode(path) || /\.(md|ya?ml|css|html)$|Dockerfile$/.test(path)) && !isExempt(path))
  const cited = texts.flatMap(([path, text]) => matches(text, ID).map(({ line, match }) => ({ path, line, id: match[0] })))
  const used = new Set([...cited.map(({ id }) => id), ...matches(rules.replace(LINE, ''), ID).map(({ match }) => match[0])])
  return {
    looked: texts.length,
    problems: [
      ...cited.filter(({ id }) => !known.has(id)).map(({ path, line, id }) => `${path}:${line} cites ${id}, which has no line in ${RULES}`),
      ...[...known].filter((id) => !id.startsWith('R-') && !used.has(id)).map((id) => `${RULES} has ${id}, which nothing cites`),
      ...texts.flatMap(([path, text]) =>
        matches(text, ELSEWHERE).map(({ line, match }) => `${path}:${line} refers to "${match[0]}", which is not in this repository`),
      ),
    ],
    remark: `${known.size} rules, ${cited.length} citations`,
  }
}
