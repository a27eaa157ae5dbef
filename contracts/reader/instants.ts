/** Epoch seconds and milliseconds are told apart by size: 1e11 seconds are the year 5138, 1e11 milliseconds 1973. */
const MILLIS_FROM = 1e11
/** Smaller numbers are no times of this product: 1e8 seconds are March 1973. */
const SECONDS_FROM = 1e8

/**
 * An instant of the contract, `2026-03-01T12:00:00Z`, from a time with an offset, without a zone (taken as UTC), with a blank for the `T`,
 * from a date, or from epoch seconds or milliseconds as number or text. Undefined for anything else.
 */
export function toInstant(value: unknown): string | undefined {
  const millis = typeof value === 'string' ? (parseEpoch(value) ?? parseText(value)) : fromEpoch(value)
  return millis === undefined || Number.isNaN(millis) || Math.abs(millis) > 8.64e15 ? undefined : formatInstant(millis)
}

/** A date of the contract, `2026-03-01`, from a time that begins with it, or from epoch seconds or milliseconds. */
export function toDate(value: unknown): string | undefined {
  const given = typeof value === 'string' ? /^(\d{4}-\d\d-\d\d)[T ]/.exec(value)?.[1] : undefined
  return given ?? (typeof value === 'number' || typeof value === 'string' ? toInstant(value)?.slice(0, 10) : undefined)
}

const formatInstant = (millis: number) => new Date(millis).toISOString().replace('.000Z', 'Z')

const fromEpoch = (value: unknown) => {
  if (typeof value !== 'number' || value < SECONDS_FROM) return undefined
  return Math.round(value < MILLIS_FROM ? value * 1000 : value)
}

const parseEpoch = (text: string) => (/^\d{9,13}(\.\d+)?$/.test(text) ? fromEpoch(Number(text)) : undefined)

function parseText(text: string) {
  const parts = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i.exec(text.trim())
  if (!parts) return undefined
  const [, date, time = '00:00', zone = 'Z'] = parts
  const offset = zone.toUpperCase() === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`
  return Date.parse(`${date}T${time}${offset}`)
}
