/** Larger numbers are milliseconds: as seconds they would be after the year 5138. */
const MOST_SECONDS = 1e11
/** End of the year 9999, the last with four digits. */
const LAST_MS = 253_402_300_799_999
const NUMBER = /^\d+(\.\d+)?$/
const DATE = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?$/

/** Parses Unix seconds or milliseconds, ISO 8601 or `yyyy-MM-dd HH:mm:ss`, in UTC unless a zone is given; null for anything else. */
export function readTimestamp(text: string): Date | null {
  const ms = NUMBER.test(text) ? fromNumber(Number(text)) : fromDate(text)
  return ms >= 0 && ms <= LAST_MS ? new Date(ms) : null
}

const fromNumber = (value: number) => Math.floor(value > MOST_SECONDS ? value : value * 1000)

function fromDate(text: string) {
  const [, day, time, zone = 'Z'] = DATE.exec(text) ?? []
  return Date.parse(`${day}T${time}${zone}`)
}
