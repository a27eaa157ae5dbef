import { blankComments, blankStrings, type Files, findMatches, isCode, isTest, selectFiles } from './files.ts'
import type { Finding } from './runner.ts'
import { isBoundary } from './separable.ts'

type Rule = { pattern: RegExp; why: string; in: (path: string) => boolean; on?: (text: string) => string }

/** These files contain the texts that they forbid. */
const isRuleFile = (path: string) => path.startsWith('scripts/check/')

/** Files that may read time, randomness and settings; everywhere else they are passed as arguments. */
const PORTS =
  /^(server\/(config|main|backup|distribute|move|operator|restore|mock\/main|ports\/clock|ports\/ids)\.ts|web\/(lib\/clock|app\/start\/start)\.ts|scripts\/|db\/postgres\/connection\.ts|server\/mock\/city\/build\.ts)/

const isDomain = (path: string) => isCode(path) && !isTest(path) && !PORTS.test(path)

const isProductStore = (path: string) =>
  isCode(path) && !isTest(path) && /^(server\/(?!mock\/)|db\/(?!sqlite\/|postgres\/|schema\/))/.test(path)

/** Blanks everything but the text of sql`…` templates. */
const keepSql = (text: string) => {
  const templates = [...text.matchAll(/\bsql(?:<[^`]*>)?`[^`]*`/g)]
  const blank = (part: string) => part.replace(/[^\n]/g, ' ')
  let end = 0
  const parts = templates.flatMap((match) => {
    const before = blank(text.slice(end, match.index))
    end = match.index + match[0].length
    return [before, match[0]]
  })
  return parts.join('') + blank(text.slice(end))
}

/** Queries without suspense, for a reason given there: attempts that are polled, and days whose bars fail separately. */
const OWN_LOADING = new Set(['web/billing/subscriptions/checkout-return.tsx', 'web/history/charts/period-summary.tsx'])

const RULES: Rule[] = [
  {
    pattern: /const \{(?! data(?:: \w+)? \})[^}]*\} = useQuery\(|const \w+ = useQuer(?:y|ies)\((?!.*\)\.data\b)/g,
    why: 'read only .data here: loading and failure belong to a boundary (useSuspenseQuery, <Part>)',
    in: (path) => path.startsWith('web/') && isCode(path) && !isTest(path) && !OWN_LOADING.has(path),
    on: blankStrings,
  },
  {
    pattern:
      /\b(?:iif|ifnull|substr|strftime|julianday|unixepoch|rowid|pragma|total_changes|last_insert_rowid|greatest|least|date_trunc)\b|\b(?:max|min)\([^()`]*,/gi,
    why: 'only one database has this: use standard SQL (case, coalesce, length) or move it to db/sqlite and db/postgres',
    in: isProductStore,
    on: keepSql,
  },
  {
    pattern: /\bDate\.now\(|\bnew Date\(\)/g,
    why: 'take the time from the clock passed as an argument',
    in: isDomain,
    on: blankStrings,
  },
  { pattern: /\bMath\.random\(/g, why: 'take random values from the ids passed as an argument', in: isDomain, on: blankStrings },
  {
    pattern: /\bprocess\.env\b|(?<!config\.)\bNODE_ENV\b/g,
    why: 'read settings in server/config.ts only',
    in: isDomain,
    on: blankStrings,
  },
  { pattern: /\b(?:TODO|FIXME|XXX)\b/g, why: 'do it, or file an issue', in: () => true },
  { pattern: /@ts-nocheck|eslint-disable/g, why: 'use @ts-expect-error or biome-ignore, followed by the reason', in: isCode },
  { pattern: /@ts-expect-error(?![ :-]+\S+ \S+ \S+)/g, why: 'give the reason for the error in a few words', in: isCode },
  {
    pattern: /biome-ignore[\w-]*(?! [\w/]+(?:\([\w-]+\))?: \S+ \S+ \S+)/g,
    why: 'give the reason for the exception in a few words',
    in: isCode,
  },
  { pattern: /\b(?:test|it|describe)\.(?:todo|fixme)\b/g, why: 'finish the test or delete it', in: isTest, on: blankStrings },
  {
    pattern: /\b(?:time|Thread)\.sleep\(/g,
    why: 'wait for what you expect to see, not for a time',
    in: (path) => /\.(?:py|java)$/.test(path),
  },
  { pattern: /\.waitForTimeout\(/g, why: 'wait for what you expect to see, not for a time', in: isCode, on: blankStrings },
]

const ADDRESSES: Rule[] = [
  {
    pattern: /"resolved": "(?!file:)[^"/]*:\/\//g,
    why: 'keep omit-lockfile-registry-resolved=true in .npmrc and lock again',
    in: (path) => path === 'package-lock.json',
  },
  {
    pattern: /https?:\/\/[\w.:-]*registry[\w.:-]*|\bregistry\.npmjs\b|^registry ?=/gm,
    why: 'do not name a package registry',
    in: () => true,
  },
  {
    pattern: /(?<![\w.:/-])(?:\/root\/|\/work\/|\/home\/(?!node\b)\w+\/|\/Users\/\w+\/)|\b[A-Z]:\\\\?Users\b/g,
    why: 'a path on one machine: make it relative to the project',
    in: () => true,
  },
]

const VAGUE_FOLDER = /(^|\/)(utils?|helpers?|commons?|misc|shared)\//

const findNameProblems = (path: string) =>
  VAGUE_FOLDER.test(path) ? [`${path} a folder with this name attracts unrelated files: name it after their subject`] : []

/**
 * A file that only re-exports hides who needs what; but those of the package, and ports and entries of separable parts, are interfaces.
 * `contracts/index.ts` composes objects.
 */
const findBarrelProblems = (path: string, text: string) => {
  if (path.startsWith('scripts/package/') || isBoundary(path)) return []
  const left = blankComments(text)
    .replace(/^export (?:type )?(?:\*(?: as \w+)?|\{[^}]*\}) from .*$/gm, '')
    .trim()
  return left === '' && /\bexport\b/.test(text) ? [`${path} only re-exports: import from the file that declares the name`] : []
}

const applyRules = (rules: Rule[], path: string, text: string) =>
  rules
    .filter((rule) => rule.in(path))
    .flatMap((rule) =>
      findMatches(rule.on ? rule.on(text) : text, rule.pattern).map(({ line, match }) => `${path}:${line} ${match[0].trim()}: ${rule.why}`),
    )

/** Applies text rules that Biome cannot express. */
export const checkForbiddenText = (files: Files): Finding => {
  const all = selectFiles(files, (path) => !isRuleFile(path))
  const code = selectFiles(files, isCode)
  return {
    fileCount: all.length,
    problems: [
      ...all.flatMap(([path, text]) => applyRules(path === 'package-lock.json' ? ADDRESSES : [...RULES, ...ADDRESSES], path, text)),
      ...code.flatMap(([path, text]) => [...findNameProblems(path), ...findBarrelProblems(path, text)]),
    ],
  }
}
