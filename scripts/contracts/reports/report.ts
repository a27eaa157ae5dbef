import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { FINDING_VERDICTS, isBroken, VERDICTS } from '#scripts/contracts/client/findings.ts'
import { CannotRun } from '#scripts/contracts/client/io.ts'
import type { Redactor } from '#scripts/contracts/client/recorder.ts'
import { NOT_SIGNED_IN, type Proof, type Result } from '#scripts/contracts/client/run.ts'
import { ABILITY_STATES, type Ability } from '#scripts/contracts/levels/abilities.ts'
import type { Feature } from '#scripts/contracts/levels/features.ts'
import { findCauses } from './causes.ts'

const FindingSchema = z.object({
  verdict: z.enum(FINDING_VERDICTS),
  path: z.string(),
  message: z.string(),
  habit: z.optional(z.string()),
  effect: z.optional(z.string()),
  call: z.optional(z.string()),
  cause: z.optional(z.string()),
})

const LineSchema = z.object({
  level: z.string(),
  name: z.string(),
  title: z.string(),
  verdict: z.enum(VERDICTS),
  findings: z.array(FindingSchema),
  note: z.string(),
  known: z.boolean(),
})

const ProofSchema = z.object({ name: z.string(), state: z.enum(['confirmed', 'refuted', 'untested']), reason: z.string() })

const CauseSchema = z.object({
  verdict: z.enum([...FINDING_VERDICTS, 'unreachable']),
  message: z.string(),
  effect: z.optional(z.string()),
  habit: z.optional(z.string()),
  count: z.int(),
  calls: z.array(z.string()),
  places: z.array(z.object({ call: z.string(), path: z.string(), title: z.string() })),
  isKnown: z.boolean(),
})

const FeatureSchema = z.object({
  name: z.string(),
  state: z.enum(['there', 'missing', 'untested']),
  call: z.string(),
  note: z.string(),
  leftOut: z.string(),
  isDocumented: z._default(z.boolean(), false),
})

const AbilitySchema = z.object({ name: z.string(), state: z.enum(ABILITY_STATES), reason: z.string() })

/** Report of a run; as JSON it can be the baseline of later runs. */
export const Report = z.object({
  base: z.string(),
  at: z.string(),
  /** What a user can do; empty if no user is signed in. */
  abilities: z._default(z.array(AbilitySchema), []),
  /** Sentences on what the operators of the portal have to configure. */
  needs: z._default(z.array(z.string()), []),
  clean: z.boolean(),
  counts: z.partialRecord(z.enum(VERDICTS), z.int()),
  results: z.array(LineSchema),
  assumed: z.array(ProofSchema),
  mended: z.array(z.string()),
  /** The deviations of all results by their cause. */
  causes: z._default(z.array(CauseSchema), []),
  /** The features of the backend, by the names of the contract's resources; empty if they were not determined. */
  features: z._default(z.array(FeatureSchema), []),
  /** Calls that were not checked because no user is signed in. */
  unchecked: z._default(z.array(z.string()), []),
})
export type Report = z.infer<typeof Report>
export type Line = z.infer<typeof LineSchema>

export const lineTitle = ({ name, title }: Pick<Line, 'name' | 'title'>) => (title ? `${name}, ${title}` : name)

export const findingLines = ({ findings }: Pick<Line, 'findings'>) =>
  findings.map(({ path, message }) => (path ? `${path}: ${message}` : message))

type ReportInput = {
  base: string
  at: Date
  results: readonly Result[]
  assumed: Proof[]
  features?: Feature[]
  abilities?: Ability[]
  needs?: string[]
  baseline: Report | undefined
  redactor: Redactor
}

/** A failure is known if the baseline has all of its findings at the same check. */
export function createReport({
  base,
  at,
  results,
  assumed,
  features = [],
  abilities = [],
  needs = [],
  baseline,
  redactor,
}: ReportInput): Report {
  const before = new Set((baseline?.results ?? []).flatMap(failureKeys))
  const lines = results.map((result): Line => {
    const findings = result.findings.map((finding) => ({ ...finding, message: redactor.redact(finding.message) }))
    const line = { ...result, findings, note: redactor.redact(result.note), known: false }
    return { ...line, known: isBroken(line.verdict) && failureKeys(line).every((key) => before.has(key)) }
  })
  const now = new Set(lines.flatMap(failureKeys))
  return {
    base,
    at: at.toISOString(),
    abilities: abilities.map((one) => ({ ...one, reason: redactor.redact(one.reason) })),
    needs,
    clean: lines.every(({ verdict, known }) => known || !isBroken(verdict)),
    counts: Object.fromEntries(VERDICTS.map((one) => [one, lines.filter(({ verdict }) => verdict === one).length])) as Report['counts'],
    results: lines,
    assumed: assumed.map((proof) => ({ ...proof, reason: redactor.redact(proof.reason) })),
    mended: [...before].filter((key) => !now.has(key)),
    causes: findCauses(lines),
    features,
    unchecked: [...new Set(lines.filter(({ note }) => note === NOT_SIGNED_IN).map(({ name }) => name))],
  }
}

function failureKeys(line: Omit<Line, 'known'>): string[] {
  if (!isBroken(line.verdict)) return []
  const messages = findingLines({ findings: line.findings.filter(({ verdict }) => isBroken(verdict)) })
  const found = messages.length > 0 ? messages : [line.verdict]
  return found.map((one) => `${line.level} ${lineTitle(line)}: ${one}`)
}

export function readBaseline(file: string | undefined): Report | undefined {
  if (file === undefined) return undefined
  try {
    return z.parse(Report, JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    throw new CannotRun(`--baseline ${file} is not a report; --format json=${file} writes one`)
  }
}

/** Whether the run was clean, and what was skipped. */
export function describeOutcome({ clean, unchecked }: Pick<Report, 'clean' | 'unchecked'>): string {
  if (unchecked.length === 0) return clean ? 'Clean.' : 'Not clean.'
  const calls = `${unchecked.length} ${unchecked.length === 1 ? 'call' : 'calls'} (${unchecked.join(', ')})`
  return `${clean ? 'Not checked' : 'Not clean, and not checked'}, because no user is signed in: ${calls}. --email and --password or --token sign in.`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for HTML and XML; control characters are removed because XML forbids them. */
export const escapeMarkup = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML forbids
  text.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '').replace(/[&<>"']/g, (character) => ENTITIES[character]!)
