import type { ImportProblem } from '#contracts/lib/constants.ts'
import { UPLOAD_FIELD } from '#contracts/lib/route.ts'
import { Failure } from '#server/lib/errors.ts'

/** Numbers and times as files have them. */

/** A number, or a text that is one; undefined for anything else. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string' || value.trim() === '') return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|UTC|[+-]\d{2}:?\d{2})?)?$/i
/** Above this a number counts milliseconds, below it seconds. */
const MILLISECONDS_FROM = 1e11

/** Milliseconds since 1970 of ISO 8601, with or without `T`, or of a number; a time without zone is UTC. Null without any, NaN if unreadable. */
export function toTime(value: unknown): number | null {
  if (value === undefined || value === null || value === '') return null
  const number = toNumber(value)
  if (number !== undefined) return number > MILLISECONDS_FROM ? number : number * 1000
  const match = typeof value === 'string' ? ISO.exec(value.trim()) : null
  if (!match) return Number.NaN
  const [, day, time = '00:00', zone = 'Z'] = match
  const offset = /^[+-]/.test(zone) ? zone.replace(/^(...)(\d\d)$/, '$1:$2') : 'Z'
  return Date.parse(`${day}T${time}${offset}`)
}

/** km/h of metres per second. */
export const toKmh = (speed: number | undefined) => (speed === undefined ? undefined : speed * 3.6)

/** A whole file is refused: why, and the line from which on it cannot be read. */
export const refuseFile = (problem: ImportProblem, line?: number) =>
  new Failure('validation_error', { errors: { [UPLOAD_FIELD]: [problem] }, ...(line !== undefined && { line }) })

/** Takes a file piece by piece. Throws a failure as soon as the rest cannot be read. */
export type Reader = { write(bytes: Uint8Array): void; end(): void | Promise<void> }

/** Decodes bytes that may end inside a character. Bytes that are not UTF-8 become U+FFFD, since only names can contain them. */
export function createTextDecoder() {
  const decoder = new TextDecoder('utf-8')
  return (bytes?: Uint8Array) => decoder.decode(bytes, { stream: bytes !== undefined })
}
