import { isTooLong, readNumber, toAscii } from './number.ts'

/** Latitude or longitude: the value alone does not always show which. */
export type Axis = 'lat' | 'lng'

/** Degrees, north and east positive. */
export type Point = { lat: number; lng: number }

const LIMIT: Record<Axis, number> = { lat: 90, lng: 180 }
const HEMISPHERES: Record<Axis, Record<string, 1 | -1>> = {
  lat: { n: 1, north: 1, s: -1, south: -1 },
  lng: { e: 1, east: 1, w: -1, west: -1 },
}

/**
 * Reads degrees: a number; a text with a decimal point or comma; degrees, minutes and seconds; a hemisphere before, after or beside it
 * (`hemisphere`); `ddmm.mmmm` of NMEA where a hemisphere shows that it is one. Longitudes from 180 to 360 are those west of Greenwich.
 * Undefined for anything else, and beyond the poles.
 */
export function readCoordinate(value: unknown, axis: Axis, hemisphere?: unknown): number | undefined {
  const beside = hemisphere === undefined || hemisphere === null || hemisphere === '' ? undefined : String(hemisphere)
  if (typeof value === 'number') return placeWithin(applyHemisphere(value, axis, beside), axis)
  if (typeof value !== 'string' || isTooLong(value)) return undefined
  const plain = readNumber(value)
  if (plain !== undefined && beside === undefined) return placeWithin(plain, axis)
  const text = toAscii(value).trim()
  const [, before, digits = '', after] = PARTS.exec(text) ?? []
  if (before && after) return undefined
  const side = before ?? after ?? beside
  const isContradicted = beside !== undefined && side !== beside && signOf(side, axis) !== signOf(beside, axis)
  const degrees = isContradicted ? undefined : (readNmea(digits, axis, side) ?? readDegrees(digits))
  return degrees === undefined ? undefined : placeWithin(applyHemisphere(degrees, axis, side), axis)
}

const PARTS = /^(?:([nsew]|north|south|east|west)[\s:]*)?([+-]?\d.*?)[\s,]*([nsew]|north|south|east|west)?$/i

const signOf = (hemisphere: string | undefined, axis: Axis): 1 | -1 | undefined =>
  HEMISPHERES[axis][(hemisphere ?? '').trim().toLowerCase()]

/** Undefined for a hemisphere of the other axis or a missing one, and for a negative value with a hemisphere. */
function applyHemisphere(degrees: number, axis: Axis, hemisphere: string | undefined) {
  if (hemisphere === undefined) return degrees
  const sign = signOf(hemisphere, axis)
  if (sign === undefined) return undefined
  // In files with both a sign and a hemisphere both mean the same.
  return degrees < 0 ? (sign < 0 ? degrees : undefined) : degrees * sign
}

function placeWithin(degrees: number | undefined, axis: Axis): number | undefined {
  if (degrees === undefined || Number.isNaN(degrees)) return undefined
  if (axis === 'lng' && degrees > 180 && degrees <= 360) return withoutNoise(degrees - 360)
  return Math.abs(degrees) <= LIMIT[axis] ? degrees + 0 : undefined
}

/** Rounds to a hundredth of a millimetre. */
const withoutNoise = (degrees: number) => Math.round(degrees * 1e10) / 1e10

const SEXAGESIMAL =
  /^([+-]?)(\d{1,3})(?:\s*[°ºd]\s*|\s*:\s*|\s+)(\d{1,2}(?:[.,]\d+)?)?(?:\s*['’′m:]\s*|\s+|$)(?:(\d{1,2}(?:[.,]\d+)?)\s*(?:["”″s]|''|’’|′′)?)?$/i
const DEGREES_ONLY = /^([+-]?\d{1,3}(?:[.,]\d*)?)\s*[°ºd]?$/i

function readDegrees(text: string): number | undefined {
  const plain = readNumber(DEGREES_ONLY.exec(text)?.[1])
  if (plain !== undefined) return plain
  const found = SEXAGESIMAL.exec(text)
  if (!found) return undefined
  const [degrees, minutes, seconds] = [
    Number(found[2]),
    readNumber(found[3] ?? '0') ?? Number.NaN,
    readNumber(found[4] ?? '0') ?? Number.NaN,
  ]
  const isWhole = found[4] === undefined || Number.isInteger(minutes)
  if (!(minutes < 60 && seconds < 60 && isWhole)) return undefined
  return (found[1] === '-' ? -1 : 1) * withoutNoise(degrees + minutes / 60 + seconds / 3600)
}

const NMEA: Record<Axis, RegExp> = { lat: /^(\d\d)(\d\d[.,]\d+)$/, lng: /^(\d{3})(\d\d[.,]\d+)$/ }

/** Degrees and minutes without a separator, as in NMEA 0183 sentences. */
function readNmea(text: string, axis: Axis, hemisphere: string | undefined): number | undefined {
  const [, degrees, minutes] = (hemisphere === undefined ? null : NMEA[axis].exec(text)) ?? []
  const read = readNumber(minutes)
  return read === undefined || read >= 60 ? undefined : withoutNoise(Number(degrees) + read / 60)
}

/** Reads degrees times 1e7, as Google and u-blox write them; old files of Google have overflowed ones, 2^32 too large. */
export function readE7(value: unknown, axis: Axis): number | undefined {
  const scaled = readNumber(value)
  if (scaled === undefined) return undefined
  const isOverflowed = scaled > LIMIT[axis] * 1e7 && scaled > 2 ** 31 - 1
  return placeWithin((isOverflowed ? scaled - 2 ** 32 : scaled) / 1e7, axis)
}

/** Receivers without a satellite fix report these coordinates. */
export const isNullIsland = ({ lat, lng }: Point) => lat === 0 && lng === 0

/** Whether a coordinate is exactly 0, which decoders use for a value missing in the payload: a measured one practically never is. */
export const isHalfEmpty = ({ lat, lng }: Point) => lat === 0 || lng === 0

/** Both coordinates; undefined if either is unreadable. */
export function readPoint(latitude: unknown, longitude: unknown): Point | undefined {
  const lat = readCoordinate(latitude, 'lat')
  const lng = lat === undefined ? undefined : readCoordinate(longitude, 'lng')
  return lat === undefined || lng === undefined ? undefined : { lat, lng }
}
