import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { CannotRun, EXIT_BROKEN, EXIT_CLEAN, type Io, runProgram } from '#scripts/contracts/client/io.ts'
import { escapeMarkup } from '#scripts/contracts/reports/report.ts'
import { type ContractChange, compareDocuments, type Document } from './compare-documents.ts'
import type { Verdict } from './compare-schemas.ts'

const DIFF_HELP = `Compares the contract of an earlier version with today's, for the clients of the earlier one.

  whereabouts contracts diff FROM [flags]

FROM is a git ref, a file or a URL of an OpenAPI document in JSON.

  --to SOURCE      what FROM is compared with, also a ref, a file or a URL; the contract of this version by default
  --path FILE      the document in a git ref; docs/openapi.json by default
  --format FORMAT  table, markdown, junit or json; table by default
  --all            lists harmless changes too, instead of counting them

Each change is breaking, risky or fine. Exit code: 0 nothing breaks, 1 a change breaks clients, 2 could not run.

  whereabouts contracts diff origin/main
  whereabouts contracts diff https://api.example.com/openapi.json --to openapi.json --format markdown
`

const OPTIONS = {
  to: { type: 'string' },
  path: { type: 'string' },
  format: { type: 'string', default: 'table' },
  all: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const satisfies ParseArgsConfig['options']

const DOCUMENT = 'docs/openapi.json'

/** Runs `whereabouts contracts diff …` and resolves with its exit code; `own` is the file with the contract of this version. */
export const runDiff = (argv: readonly string[], io: Io, own = DOCUMENT): Promise<number> =>
  runProgram(
    async () => {
      const { values, positionals } = parseFlags(argv)
      if (values.help) {
        io.out(DIFF_HELP)
        return EXIT_CLEAN
      }
      const [from] = positionals
      if (!from || positionals.length > 1) throw new CannotRun('one earlier version is needed: a git ref, a file or a URL')
      const format = FORMATTERS[values.format]
      if (!format) throw new CannotRun(`--format takes one of ${Object.keys(FORMATTERS).join(', ')}, not ${values.format}`)
      const document = values.path ?? DOCUMENT
      const to = values.to ?? values.path ?? relative('', own)
      const changes = compareDocuments(await readDocument(from, document, io), await readDocument(to, document, io))
      io.out(format({ from, to, changes, isComplete: values.all }))
      return changes.some(({ verdict }) => verdict === 'breaking') ? EXIT_BROKEN : EXIT_CLEAN
    },
    (text) => io.err(`contracts diff: ${text}`),
  )

function parseFlags(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new CannotRun(`${(error as Error).message.split('. ', 1)[0]}; --help lists all flags`)
  }
}

async function readDocument(source: string, path: string, io: Io): Promise<Document> {
  const text = await readSource(source, path, io)
  try {
    const document = JSON.parse(text)
    if (typeof document.paths === 'object') return document
  } catch {
    // Not JSON: reported below like a document without `paths`.
  }
  throw new CannotRun(`${source} is not an OpenAPI document in JSON`)
}

async function readSource(source: string, path: string, io: Io): Promise<string> {
  if (/^https?:/.test(source)) {
    const answer = await io.fetch(source).catch((error: Error) => error)
    if (answer instanceof Error) throw new CannotRun(`${source} cannot be reached: ${answer.message}`)
    if (!answer.ok) throw new CannotRun(`${source} answered ${answer.status}`)
    return answer.text()
  }
  if (existsSync(source)) return readFileSync(source, 'utf8')
  try {
    const ref = `${source}:${path.startsWith('/') ? path : `./${path}`}`
    return execFileSync('git', ['show', '--end-of-options', ref], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 28,
    })
  } catch {
    throw new CannotRun(`${source} is no file, and no git ref with ${path}`)
  }
}

type Outcome = { from: string; to: string; changes: readonly ContractChange[]; isComplete: boolean }

const VERDICTS: readonly Verdict[] = ['breaking', 'risky', 'fine']
const VERDICT_WIDTH = 10

const listShown = ({ changes, isComplete }: Outcome) => {
  const shown = isComplete ? changes : changes.filter(({ verdict }) => verdict !== 'fine')
  return shown.toSorted((one, other) => VERDICTS.indexOf(one.verdict) - VERDICTS.indexOf(other.verdict))
}

function countVerdicts({ changes }: Outcome) {
  if (changes.length === 0) return 'No change.'
  return `${VERDICTS.map((verdict) => `${changes.filter((one) => one.verdict === verdict).length} ${verdict}`).join(', ')}.`
}

const describePlace = ({ part, path }: ContractChange) => [part === 'endpoint' ? '' : part, path].filter(Boolean).join(' ')

const describeChange = (change: ContractChange) => [describePlace(change), change.message].filter(Boolean).join(': ')

function formatTable(outcome: Outcome) {
  const shown = listShown(outcome)
  const width = Math.max(0, ...shown.map(({ endpoint }) => endpoint.length))
  const rows = shown.map((change) => `${change.verdict.padEnd(VERDICT_WIDTH)}${change.endpoint.padEnd(width)}  ${describeChange(change)}\n`)
  return `${rows.join('')}${countVerdicts(outcome)}\n`
}

const escapeCell = (text: string) => text.replaceAll('|', '\\|')

function formatMarkdown(outcome: Outcome) {
  const rows = listShown(outcome).map(
    (change) =>
      `| ${change.verdict === 'breaking' ? '**breaking**' : change.verdict} | \`${change.endpoint}\` | ${escapeCell(describePlace(change))} | ${escapeCell(change.message)} |\n`,
  )
  const table = rows.length > 0 ? `| | Endpoint | Where | What |\n|---|---|---|---|\n${rows.join('')}\n` : ''
  return `### Contract: ${outcome.from} → ${outcome.to}\n\n${table}${countVerdicts(outcome)}\n`
}

/** Breaking changes fail; a run without changes still has a test case, because some readers reject an empty report. */
function formatJunit(outcome: Outcome) {
  const { from, to, changes } = outcome
  const failures = changes.filter(({ verdict }) => verdict === 'breaking').length
  const cases = listShown(outcome).map((change) => {
    const text = escapeMarkup(describeChange(change))
    const inside = change.verdict === 'breaking' ? `<failure message="${text}"/>` : `<system-out>${change.verdict}: ${text}</system-out>`
    return `  <testcase classname="contract" name="${escapeMarkup(change.endpoint)}: ${text}">${inside}</testcase>\n`
  })
  const listed = cases.length > 0 ? cases : ['  <testcase classname="contract" name="no change for clients"/>\n']
  const name = escapeMarkup(`${from} → ${to}`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n<testsuite name="${name}" tests="${listed.length}" failures="${failures}">\n${listed.join('')}</testsuite>\n</testsuites>\n`
}

const formatJson = (outcome: Outcome) => `${JSON.stringify({ from: outcome.from, to: outcome.to, changes: listShown(outcome) }, null, 1)}\n`

const FORMATTERS: Record<string, ((outcome: Outcome) => string) | undefined> = {
  table: formatTable,
  markdown: formatMarkdown,
  junit: formatJunit,
  json: formatJson,
}
