import { isCode, isTest, matches, withoutComments, withoutStrings } from './code.ts'
import { type Files, type Finding, pick } from './finding.ts'

type Rule = { pattern: RegExp; why: string; in: (path: string) => boolean; on?: (text: string) => string }

/** These files name what they forbid. */
const isRule = (path: string) => path.startsWith('scripts/check/')

/** Where time, randomness and settings enter; everywhere else they come in as arguments. */
const PORTS =
  /^(server\/(config|main|backup|restore|mock\/main|ports\/clock|ports\/ids)\.ts|web\/lib\/clock\.ts|scripts\/|server\/mock\/city\/build\.ts)/

const isDomain = (path: string) => isCode(path) && !isTest(path) && !PORTS.test(path)

const RULES: Rule[] = [
  {
    pattern: /\bDate\.now\(|\bnew Date\(\)/g,
    why: 'take the time from the clock that comes in by argument',
    in: isDomain,
    on: withoutStrings,
  },
  { pattern: /\bMath\.random\(/g, why: 'take chance from the ids that come in by argument', in: isDomain, on: withoutStrings },
  {
    pattern: /\bprocess\.env\b|(?<!config\.)\bNODE_ENV\b/g,
    why: 'read settings in server/config.ts only',
    in: isDomain,
    on: withoutStrings,
  },
  { pattern: /\b(?:TODO|FIXME|XXX)\b/g, why: 'do it, or file an issue', in: () => true },
  { pattern: /@ts-(?:ignore|nocheck)|eslint-disable/g, why: 'use @ts-expect-error or biome-ignore with the reason behind it', in: isCode },
  { pattern: /@ts-expect-error(?![ :-]+\S+ \S+ \S+)/g, why: 'say in a few words why the error is expected', in: isCode },
  {
    pattern: /biome-ignore[\w-]*(?! [\w/]+(?:\([\w-]+\))?: \S+ \S+ \S+)/g,
    why: 'say in a few words why the rule does not hold here',
    in: isCode,
  },
  {
    pattern: /(?:\bas any\b|[:<|&] ?any\b(?=[\s>|&;,)=[\]]))/g,
    why: 'name the type; `unknown` where it is not known',
    in: isCode,
    on: withoutStrings,
  },
  { pattern: /\b(?:test|it|describe)\.(?:only|skip|todo|fixme)\b/g, why: 'a test runs or is not there', in: isTest, on: withoutStrings },
  { pattern: /\.waitForTimeout\(/g, why: 'wait for what you expect to see, not for time', in: isTest, on: withoutStrings },
]

const ADDRESSES: Rule[] = [
  {
    pattern: /"resolved": "(?!file:)/g,
    why: 'keep omit-lockfile-registry-resolved=true in .npmrc and lock again',
    in: (path) => path === 'package-lock.json',
  },
  { pattern: /https?:\/\/[\w.:-]*registry[\w.:-]*|\bregistry\.npmjs\b|^registry ?=/gm, why: 'name no package registry', in: () => true },
  {
    pattern: /(?<![\w.:/-])(?:\/root\/|\/work\/|\/home\/(?!node\b)\w+\/|\/Users\/\w+\/)|\b[A-Z]:\\\\?Users\b/g,
    why: 'a path of one machine: write it relative to the project',
    in: () => true,
  },
]

const FOLDERS = /(^|\/)(utils?|helpers?|commons?|misc|shared)\//

const nameProblems = (path: string) =>
  FOLDERS.test(path) ? [`${path} a folder named so attracts strangers: name it after what its files know`] : []

/** A file that only re-exports hides who needs what. `contracts/index.ts` composes objects, so it passes. */
const barrelProblems = (path: string, text: string) => {
  const left = withoutComments(text)
    .replace(/^export (?:type )?(?:\*(?: as \w+)?|\{[^}]*\}) from .*$/gm, '')
    .trim()
  return left === '' && /\bexport\b/.test(text) ? [`${path} only re-exports: import from where a thing is made`] : []
}

const apply = (rules: Rule[], path: string, text: string) =>
  rules
    .filter((rule) => rule.in(path))
    .flatMap((rule) =>
      matches(rule.on ? rule.on(text) : text, rule.pattern).map(({ line, match }) => `${path}:${line} ${match[0].trim()}: ${rule.why}`),
    )

/** Applies text rules that Biome cannot express. */
export const forbidden = (files: Files): Finding => {
  const all = pick(files, (path) => !isRule(path))
  const code = pick(files, isCode)
  return {
    looked: all.length,
    problems: [
      ...all.flatMap(([path, text]) => apply(path === 'package-lock.json' ? ADDRESSES : [...RULES, ...ADDRESSES], path, text)),
      ...code.flatMap(([path, text]) => [...nameProblems(path), ...barrelProblems(path, text)]),
    ],
  }
}
