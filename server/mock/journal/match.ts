import type { EntryMatch } from '#contracts/mock/requests.ts'
import { matchesRequest } from '#server/mock/lib/endpoint-requests.ts'
import type { Entry } from './journal.ts'

/** The names of the properties in which an entry differs from the match; empty when it matches. */
function findDifferences(entry: Entry, { status, verdict, query = {}, body, answer, after, ...call }: EntryMatch): string[] {
  const parts = Object.entries(call).filter(([, value]) => value !== undefined)
  const sent = Object.fromEntries(new URL(entry.url, 'http://journal').searchParams)
  return [
    ...parts.filter(([name, value]) => !entry.call || !matchesRequest(entry.call, { [name]: value })).map(([name]) => name),
    ...(status === undefined || status === entry.status ? [] : ['status']),
    ...(verdict === undefined || verdict === entry.verdict ? [] : ['verdict']),
    ...(contains(sent, query) ? [] : ['query']),
    ...(body === undefined || contains(parseJson(entry.request.body), body) ? [] : ['body']),
    ...(answer === undefined || contains(parseJson(entry.response.body), answer) ? [] : ['answer']),
    ...(after === undefined || entry.id > after ? [] : ['after']),
  ]
}

export const findEntries = (entries: readonly Entry[], match: EntryMatch) =>
  entries.filter((entry) => findDifferences(entry, match).length === 0)

const MAX_NEAR_MISSES = 5

/** The entries that differ in the fewest properties, closest first. */
export const findNearMisses = (entries: readonly Entry[], match: EntryMatch) =>
  entries
    .map(({ id, method, url, status }, index) => ({ id, method, url, status, differs: findDifferences(entries[index]!, match) }))
    .filter(({ differs }) => differs.length > 0)
    .sort((a, b) => a.differs.length - b.differs.length || b.id - a.id)
    .slice(0, MAX_NEAR_MISSES)

/** Whether `value` contains everything in `wanted`; lists are compared element by element. */
function contains(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return Object.is(value, wanted)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(wanted).every(([key, part]) => contains((value as Record<string, unknown>)[key], part))
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
