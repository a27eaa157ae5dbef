import type { FastifyRequest } from 'fastify'
import type { Expected, FaultMatch } from '#contracts/mock/faults.ts'

type Content = Pick<FastifyRequest, 'query' | 'headers' | 'body'>

/** Whether query, headers and body of a request are as a match expects. */
export const matchesContent = ({ query, headers, body }: Content, match: FaultMatch) =>
  meetsAll(match.query, (name) => readPath(query, [name])) &&
  meetsAll(match.headers, (name) => headers[name.toLowerCase()]) &&
  (match.body === undefined || meetsAll(match.body, (path) => readPath(body, path.split('.'))))

const meetsAll = (expected: Record<string, Expected> = {}, read: (name: string) => unknown) =>
  Object.entries(expected).every(([name, value]) => meets(read(name) ?? null, value))

function meets(found: unknown, expected: Expected): boolean {
  if (expected !== null && typeof expected === 'object') return found !== null && new RegExp(expected.matches).test(String(found))
  return found === expected || (found !== null && typeof found !== 'object' && String(found) === String(expected))
}

/** The value at a path of own properties; undefined when there is none. With `*` the first element that has one. */
export function readPath(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return value
  if (typeof value !== 'object' || value === null) return undefined
  if (key === '*')
    return Object.values(value)
      .map((each) => readPath(each, rest))
      .find((each) => each !== undefined)
  return Object.hasOwn(value, key) ? readPath((value as Record<string, unknown>)[key], rest) : undefined
}
