import { POSITION_MARKS } from '#contracts/rules/history/filter.ts'
import { escapeCsvCell } from '#contracts/rules/text.ts'
import { EVENT_TYPES } from '#contracts/rules/tracking/reporting.ts'
import { addressOf, type FindNearestAddress, findCell, findNoAddress } from '#db/addresses.ts'
import { fromFixed7, type PositionColumns } from '#db/positions.ts'

const DAY_SECONDS = 86_400
/** Upper limit for a row without its address and event: nine numbers of at most 16 characters, an instant, separators. */
const NUMBERS_LENGTH = 160
const EVENTS = EVENT_TYPES.map((name) => Buffer.from(name))
const MARKS = POSITION_MARKS.map((name) => Buffer.from(name))
const NOTHING: Buffer = Buffer.alloc(0)
const [ZERO, COMMA, DOT, MINUS, COLON, Z, CR, LF] = [0x30, 0x2c, 0x2e, 0x2d, 0x3a, 0x5a, 0x0d, 0x0a] as const

/**
 * Returns a function that formats positions as CSV rows, in UTF-8. Written by hand into bytes, because for a year of a million positions
 * strings, dates and a CSV library take several times as long per row as the database. The address is looked up once per stretch of positions
 * in one cell.
 */
export function createCsvRows(nearest: FindNearestAddress, isLong = false) {
  const findDay = rememberDay()
  const findAddress = rememberAddress(nearest)

  return ({ time, lat, lng, precision, event, battery, speed, course, altitude, mark }: PositionColumns): Buffer => {
    let bytes: Buffer = Buffer.allocUnsafe(time.length * NUMBERS_LENGTH)
    let at = 0
    for (let row = 0; row < time.length; row++) {
      const address = findAddress(lat[row]!, lng[row]!)
      const name = EVENTS[event[row] ?? -1] ?? NOTHING
      const level = battery[row]
      const needed = at + NUMBERS_LENGTH + address.length + name.length
      if (needed > bytes.length) bytes = Buffer.concat([bytes.subarray(0, at)], 2 * needed)
      const day = findDay(time[row]!)
      at = writeBytes(bytes, at, day.text)
      at = writeTime(bytes, at, time[row]! - day.start)
      bytes[at++] = COMMA
      at = writeDegrees(bytes, at, lat[row]!)
      bytes[at++] = COMMA
      at = writeDegrees(bytes, at, lng[row]!)
      bytes[at++] = COMMA
      at = writeInteger(bytes, at, precision[row]!)
      bytes[at++] = COMMA
      at = writeBytes(bytes, at, address)
      bytes[at++] = COMMA
      at = writeBytes(bytes, at, name)
      bytes[at++] = COMMA
      if (level !== null && level !== undefined) at = writeInteger(bytes, at, level)
      if (isLong) {
        bytes[at++] = COMMA
        at = writeTenths(bytes, at, speed[row])
        bytes[at++] = COMMA
        at = writeOptional(bytes, at, course[row])
        bytes[at++] = COMMA
        at = writeOptional(bytes, at, altitude[row])
        bytes[at++] = COMMA
        at = writeBytes(bytes, at, MARKS[mark[row] ?? -1] ?? NOTHING)
      }
      bytes[at++] = CR
      bytes[at++] = LF
    }
    return bytes.subarray(0, at)
  }
}

/** Returns a function that finds the day of a second (Unix time): its first second, and its text up to the `T`. */
function rememberDay() {
  let known = { start: Number.NaN, text: NOTHING }
  return (time: number) => {
    if (time >= known.start && time < known.start + DAY_SECONDS) return known
    const start = Math.floor(time / DAY_SECONDS) * DAY_SECONDS
    known = { start, text: Buffer.from(new Date(start * 1000).toISOString().slice(0, 11)) }
    return known
  }
}

/** Returns a function that finds the address of a stored point, as a CSV cell. */
function rememberAddress(nearest: FindNearestAddress) {
  if (nearest === findNoAddress) return () => NOTHING
  let known = { cell: Number.NaN, label: null as string | null, text: NOTHING }
  return (lat: number, lng: number) => {
    const point = { lat: fromFixed7(lat), lng: fromFixed7(lng) }
    const cell = findCell(point)
    if (cell === known.cell) return known.text
    const label = addressOf(nearest, point)
    known = { cell, label, text: label === known.label ? known.text : encodeAddress(label) }
    return known.text
  }
}

const MAX_ADDRESSES = 20_000
const encodedAddresses = new Map<string | null, Buffer>()

/** A day passes the same places repeatedly, and encoding a text takes longer than the rest of its row. */
function encodeAddress(label: string | null) {
  const known = encodedAddresses.get(label)
  if (known) return known
  if (encodedAddresses.size >= MAX_ADDRESSES) encodedAddresses.clear()
  const text = Buffer.from(quote(escapeCsvCell(label)))
  encodedAddresses.set(label, text)
  return text
}

// Each of these functions writes at an index and returns the next index.

function writeBytes(bytes: Buffer, at: number, text: Buffer) {
  for (let index = 0; index < text.length; index++) bytes[at + index] = text[index]!
  return at + text.length
}

function writeDigits(bytes: Buffer, at: number, value: number, digits: number) {
  let rest = value
  for (let index = at + digits - 1; index >= at; index--) {
    const shorter = Math.floor(rest / 10)
    bytes[index] = ZERO + rest - shorter * 10
    rest = shorter
  }
  return at + digits
}

function writeInteger(bytes: Buffer, at: number, value: number) {
  let size = value
  let start = at
  if (value < 0) {
    size = -value
    bytes[start++] = MINUS
  }
  let digits = 1
  for (let limit = 10; size >= limit; limit *= 10) digits++
  return writeDigits(bytes, start, size, digits)
}

const writeOptional = (bytes: Buffer, at: number, value: number | null | undefined) =>
  value === null || value === undefined ? at : writeInteger(bytes, at, value)

function writeTenths(bytes: Buffer, at: number, tenths: number | null | undefined) {
  if (tenths === null || tenths === undefined) return at
  const whole = Math.floor(tenths / 10)
  const next = writeInteger(bytes, at, whole)
  bytes[next] = DOT
  return writeDigits(bytes, next + 1, tenths - whole * 10, 1)
}

/** Degrees are stored times 1e7. */
function writeDegrees(bytes: Buffer, at: number, scaled: number) {
  const size = Math.abs(scaled)
  const whole = Math.floor(size / 1e7)
  let next = at
  if (scaled < 0) bytes[next++] = MINUS
  next = writeInteger(bytes, next, whole)
  bytes[next++] = DOT
  return writeDigits(bytes, next, size - whole * 1e7, 7)
}

/** The time of day, `12:00:00Z`. */
function writeTime(bytes: Buffer, at: number, second: number) {
  const minute = Math.floor(second / 60)
  const hour = Math.floor(minute / 60)
  let next = writeDigits(bytes, at, hour, 2)
  bytes[next++] = COLON
  next = writeDigits(bytes, next, minute - hour * 60, 2)
  bytes[next++] = COLON
  next = writeDigits(bytes, next, second - minute * 60, 2)
  bytes[next++] = Z
  return next
}

const quote = (text: string | null) => (text !== null && /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : (text ?? ''))
