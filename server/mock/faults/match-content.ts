import type { FastifyRequest } from 'fastify'
import type { Expected, FaultMatch } from '#contracts/mock/faults.ts'

type Content = Pick<FastifyRequest, 'query' | 'headers' | 'body'>

/** Whether query, headers and body of a request are as a match expects. */
export const matchesContent = ({ query, headers, body }: Content, match: FaultMatch) =>
  meetsAll(match.query, (name) => readPath(query, [name])) &&
  meetsAll(match.headers, (name) => headers[name.toLowerCase()]) &&
  Object.entries(match.body ?? {}).every(([path, value]) => meetsAny(readAll(body, path.split('.')), value))

const meetsAll = (expected: Record<string, Expected> = {}, read: (name: string) => unknown) =>
  Object.entries(expected).every(([name, value]) => meets(read(name) ?? null, value))

const meetsAny = (found: readonly unknown[], expected: Expected) =>
  (found.length === 0 ? [null] : found).some((each) => meets(each ?? null, expected))

function meets(found: unknown, expected: Expected): boolean {
  if (expected !== null && typeof expected === 'object') return found !== null && new RegExp(expected.matches).test(String(found))
  return found === expected || (found !== null && typeof found !== 'object' && String(found) === String(expected))
}

/** The value at a path of own properties; undefined when there is none. With `*` the first that there is. */
export const readPath = (value: unknown, path: readonly string[]): unknown => readAll(value, path)[0]

/** The values at a path, several where it has a `*`. */
function readAll(value: unknown, [key, ...rest]: readonly string[]): unknown[] {
  if (key === undefined) return [value]
  if (typeof value !== 'object' || value === null) return []
  if (key === '*') return Object.values(value).flatMap((each) => readAll(each, rest))
  return Object.hasOwn(value, key) ? readAll((value as Record<string, unknown>)[key], rest) : []
}
