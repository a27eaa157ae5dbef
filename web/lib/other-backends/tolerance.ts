import type * as z from 'zod/mini'
import type { RequestInput, Route } from '#contracts/lib/route.ts'
import { positions } from '#contracts/positions.ts'
import { type FieldReason, readOtherFailure } from '#contracts/reader/failures.ts'
import type { OwnNames } from '#contracts/reader/names.ts'
import { appendPages } from '#contracts/reader/pages.ts'
import { type Deviation, type Reading, readTolerantly } from '#contracts/reader/tolerant.ts'
import type { Log } from '#web/lib/log.ts'
import { onSessionEnd } from '#web/lib/session.ts'
import { countOmitted, MORE } from './omitted.ts'

/**
 * Reads a success of a backend that deviates from the contract. Loaded when the first response of a session breaks the contract, so that a
 * conforming backend costs nothing.
 */

/** What the reader takes from the client. */
export type ReaderPorts = {
  /** Base URL of the API, with or without a trailing slash; empty for this origin. */
  base: string
  log: Log
  /** The backend's own names for fields of the contract. */
  names?: OwnNames | undefined
  /** Called with each difference between a response and the contract, once per session. */
  onDeviations?(reports: DeviationReport[]): void
  /** URL to which they are sent. */
  reportUrl?: string | undefined
}

type Answer = { status: number; body: unknown; url: string }

/** Reads a success as well as it can be read; undefined when it cannot be used. */

export async function readOther(
  route: Route,
  request: RequestInput,
  { status, body, url }: Answer,
  outside: ReaderPorts,
  fetchJson: (url: string) => Promise<unknown>,
  onPart?: (entries: never[]) => void,
): Promise<{ value: unknown } | undefined> {
  const schema = route.response[status as keyof Route['response']] ?? Object.values(route.response).at(-1)!
  const read = (given: unknown) => readTolerantly(schema, given, outside.names)
  const first = read(body)
  const reading =
    first.ok || route.method === 'GET' || route.method === 'POST' ? first : await readChanged(route, request, url, read, fetchJson)
  if (!reading.ok) {
    outside.log.failure(`${route.method} ${route.path} responded with a body that cannot be used`, reading.deviations)
    reportDeviations(route, reading.deviations, { ...outside, log: { failure: () => undefined } })
    return undefined
  }
  reportDeviations(route, reading.deviations, outside)
  const { value } = reading
  const readPage = async (address: string) => {
    const page = read(await fetchJson(address).catch(ignoreUnlessLeaving))
    if (!page.ok || !Array.isArray(page.value)) return null
    reportDeviations(route, page.deviations, outside)
    return { ...page, value: page.value as unknown[] }
  }
  if (!Array.isArray(value)) countOmitted(value, reading.omitted)
  else {
    const source = { url, base: outside.base, readPage, fixedSizes, onPart: onPart && tellOf(onPart) }
    countOmitted(value, await appendPages(value, reading, source))
  }
  return { value }
}

/** Passes on the entries so far, marked as a list that continues. */
const tellOf = (onPart: (entries: never[]) => void) => (entries: unknown[]) => {
  countOmitted(entries, MORE)
  onPart(entries as never[])
}

/** A failed page costs its entries; a cancelled request, or one that leads to another screen, concerns the whole list. */
function ignoreUnlessLeaving(error: unknown) {
  if (!(error instanceof Error && 'isLeaving' in error) || error.isLeaving) throw error
}

/** Reads an event of the live stream; undefined when it is unusable. Its call is reported as the stream's. */
export function readEvent<T extends z.ZodMiniType>(schema: T, body: unknown, outside: ReaderPorts): z.output<T> | undefined {
  const reading = readTolerantly(schema, body, outside.names)
  reportDeviations(positions.live, reading.deviations, outside)
  return reading.ok ? (reading.value as z.output<T>) : undefined
}

/** Reads the object again after a change with an empty or unusable response; if that fails, assumes what was sent. */
async function readChanged(
  { method }: Route,
  { params, body }: RequestInput,
  url: string,
  read: (given: unknown) => Reading,
  fetchJson: (url: string) => Promise<unknown>,
) {
  const again = method === 'DELETE' ? undefined : read(await fetchJson(url).catch(() => undefined))
  return again?.ok ? again : read({ ...params, ...(typeof body === 'object' && body) })
}

/** A difference between a response and the contract: the call, the field, and the kind of deviation. No values, so no personal data. */
export type DeviationReport = Deviation & { call: string }

const fixedSizes = new Set<string>()
onSessionEnd(() => fixedSizes.clear())

const SEEN = 'deviations'
const seen = new Set<string>(readSeen())
onSessionEnd(() => seen.clear())

/** Reports each difference once per session: to the console, to the developer panel, and to `reportUrl` of the configuration. */
function reportDeviations({ method, path }: Route, deviations: readonly Deviation[], { log, onDeviations, reportUrl }: ReaderPorts) {
  const call = `${method} ${path}`
  const reports = deviations.map((deviation) => ({ call, ...deviation })).filter((each) => !seen.has(name(each)))
  if (reports.length === 0) return
  for (const each of reports) seen.add(name(each))
  saveSeen()
  log.failure('The backend differs from the contract', reports.map(name))
  onDeviations?.(reports)
  if (reportUrl) navigator.sendBeacon(reportUrl, JSON.stringify({ deviations: reports }))
}

const name = ({ call, path, habit }: DeviationReport) => `${call} ${path || 'body'}: ${habit}`

function readSeen(): string[] {
  try {
    return JSON.parse(sessionStorage.getItem(SEEN) ?? '[]')
  } catch {
    return []
  }
}

/** With a full or forbidden storage, a reload merely reports again. */
function saveSeen() {
  try {
    sessionStorage.setItem(SEEN, JSON.stringify([...seen]))
  } catch {}
}

/** Invalid fields have messages in their forms. */
const REASON_WORDS: Partial<Record<FieldReason, 'error.taken' | 'form.missing' | 'error.invalid'>> = {
  taken: 'error.taken',
  required: 'form.missing',
  other: 'error.invalid',
}

/** Reads a rejection of a backend that deviates from the contract. */
export function readRefusal(body: unknown) {
  const { reasons = {}, ...failure } = readOtherFailure(body)
  const words = Object.entries(reasons).flatMap(([field, reason]) => (REASON_WORDS[reason] ? [[field, REASON_WORDS[reason]] as const] : []))
  return { ...failure, ...(words.length > 0 && { words: Object.fromEntries(words) }) }
}
