import { wallTime } from '#contracts/rules/local-day.ts'
import { readCoordinate, readE7 } from '#contracts/rules/reading/coordinate.ts'
import { findNameWithUnit, MEASURE_NAMES, MEASURE_QUANTITIES, plainName } from '#contracts/rules/reading/measures.ts'
import { type Quantity, readMeasure, readNumber } from '#contracts/rules/reading/number.ts'
import { readTime } from '#contracts/rules/reading/time.ts'
import { lacksFix } from '#contracts/rules/reading/validity.ts'
import { PRECISION } from '#contracts/rules/tracking/fix.ts'
import type { FileFix } from './fixes.ts'

/**
 * Names of columns, properties and elements in files, in lower case and letters only. If a file has several, the first in the list counts.
 * All formats share the names.
 */
const NAMES = {
  time: [
    ...['datetime', 'time', 'timestamp', 'dateandtime', 'utc', 'utctime', 'gpstime', 'timeutc', 'datetimeutc', 'utcdatetime', 'fixtime'],
    ...['recordedat', 'timestampms', 'timestamputc', 'when', 'tst', 'devicetime', 'loggedat', 'measuredat', 'isotime', 'timeiso', 'epoch'],
    ...['unixtime', 'unixtimestamp', 'gpsdatetime', 'positiontime', 'locationtime', 'begin'],
  ],
  date: ['date', 'day', 'utcdate', 'dateutc', 'gpsdate'],
  zone: ['timezone', 'tz', 'utcoffset', 'timezoneoffset', 'tzoffset', 'gmtoffset', 'timezoneid', 'tzid'],
  lat: [
    ...['latitude', 'lat', 'gpslat', 'gpslatitude', 'positionlat', 'latdeg', 'latitudedeg', 'latitudedegrees', 'decimallatitude'],
    ...['latdd', 'latitudens', 'latitudee', 'late', 'positionlatitude', 'locationlat', 'locationlatitude'],
  ],
  lng: [
    ...['longitude', 'lon', 'lng', 'long', 'gpslon', 'gpslng', 'gpslong', 'gpslongitude', 'positionlong', 'positionlon', 'londeg'],
    ...['longitudedeg', 'longitudedegrees', 'decimallongitude', 'longdd', 'longitudeew', 'longitudee', 'lnge', 'lone', 'positionlongitude'],
    ...['locationlon', 'locationlng', 'locationlongitude'],
  ],
  northSouth: [
    ...['ns', 'northsouth', 'nsindicator', 'nshemisphere', 'lathemisphere', 'latitudehemisphere', 'hemispherens', 'latdir', 'latdirection'],
    ...['latitudedirection', 'latref', 'latituderef', 'gpslatituderef', 'latns', 'latitudens'],
  ],
  eastWest: [
    ...['ew', 'we', 'eastwest', 'ewindicator', 'ewhemisphere', 'lonhemisphere', 'lnghemisphere', 'longitudehemisphere', 'hemisphereew'],
    ...['londir', 'lngdir', 'longdir', 'longitudedirection', 'lonref', 'lngref', 'longituderef', 'gpslongituderef', 'lonew', 'longitudeew'],
  ],
  dilution: ['hdop', 'gpshdop', 'gnsshdop', 'horizontaldilution'],
  battery: ['battery', 'batt', 'batterylevel', 'bat', 'batterypercent', 'batterypercentage', 'batterypct', 'batlevel', 'soc'],
  ...MEASURE_NAMES,
  event: ['event'],
  mark: ['mark'],
} as const satisfies Record<string, readonly string[]>
type Column = keyof typeof NAMES

const QUANTITIES: Partial<Record<Column, Quantity>> = { ...MEASURE_QUANTITIES, battery: 'share' }

type Place = { index: number; unit?: string | undefined; rank: number }

/** Indexes of the values in rows with these columns. */
export type Layout = {
  columns: Partial<Record<Column, Place[]>>
  /** Columns that say whether there was a fix. */
  validity: { index: number; name: string }[]
  /** Names without a meaning for an import. */
  unused: string[]
}

/** `speedUnit` is the unit of speeds without one in their name; km/h if omitted. */
export type Manner = { speedUnit?: 'm/s'; isBatteryShare?: boolean }

/** Determines the meaning of each column. */
export function readNames(names: readonly string[]): Layout {
  const columns: Layout['columns'] = {}
  const layout: Layout = { columns, validity: [], unused: [] }
  for (const [index, name] of names.entries()) {
    const found = findColumns(name)
    for (const { column, ...place } of found) columns[column] = [...(columns[column] ?? []), { index, ...place }]
    const isValidity = speaksOfFix(name)
    if (isValidity) layout.validity.push({ index, name })
    if (found.length === 0 && !isValidity && name.trim() !== '') layout.unused.push(name.trim())
  }
  for (const places of Object.values(columns)) places.sort((a, b) => a.rank - b.rank || a.index - b.index)
  // "Latitude N/S" is a latitude with its letter if it is the only column, and the letter if there is a latitude next to it.
  for (const [axis, side] of [['lat', 'northSouth'] as const, ['lng', 'eastWest'] as const]) {
    const [first, second] = columns[axis] ?? []
    const letter = columns[side]?.[0]?.index
    if (letter === first?.index && !second) delete columns[side]
    else if (letter !== undefined) columns[axis] = columns[axis]?.filter(({ index }) => index !== letter) ?? []
  }
  return layout
}

function findColumns(name: string) {
  const plain = plainName(name)
  const found: { column: Column; rank: number; unit?: string | undefined }[] = []
  for (const [column, known] of Object.entries(NAMES) as [Column, readonly string[]][]) {
    const rank = known.indexOf(plain)
    if (rank >= 0) found.push({ column, rank, ...(/e7$/i.test(name.trim()) && { unit: 'E7' }) })
    const quantity = QUANTITIES[column]
    const withUnit = rank < 0 && quantity ? findNameWithUnit(name, known, quantity) : undefined
    if (withUnit) found.push({ column, ...withUnit })
  }
  // `late` and `lone` are words, `latE7` and `lonE7` are not.
  return found.filter(
    ({ column, unit }) => !(/^(lat|lng|lon|latitude|longitude)e$/.test(plain) && (column === 'lat' || column === 'lng') && !unit),
  )
}

/** The names known to the validity rules; each of them accepts one of these values. */
const speaksOfFix = (name: string) =>
  ['no fix', true, 0, 99].some((value) => lacksFix({ [name]: value })) || !lacksFix({ satellites: 0, [name]: 'network' })

export const hasPosition = ({ columns }: Layout) => columns.lat !== undefined && columns.lng !== undefined
export const hasTime = ({ columns }: Layout) => (columns.time ?? columns.date) !== undefined

/** Reads a position from the values of a row. */
export function readFix(layout: Layout, values: readonly unknown[], { speedUnit, isBatteryShare }: Manner = {}): FileFix {
  const { columns, validity } = layout
  const find = (column: Column) => {
    for (const place of columns[column] ?? []) {
      const value = tidy(values[place.index])
      if (value !== undefined) return { value, unit: place.unit }
    }
    return undefined
  }
  const measure = (column: Column, usual?: string) => {
    const found = find(column)
    const quantity = QUANTITIES[column]
    return found && quantity ? readMeasure(found.value, quantity, found.unit ?? usual) : undefined
  }
  const coordinate = (axis: 'lat' | 'lng', side: 'northSouth' | 'eastWest') => {
    const found = find(axis)
    if (!found) return Number.NaN
    if (found.unit === 'E7') return readE7(found.value, axis) ?? Number.NaN
    const letter = columns[side] ? (find(side)?.value ?? NO_LETTER) : undefined
    return readCoordinate(found.value, axis, letter) ?? Number.NaN
  }
  const dilution = readNumber(find('dilution')?.value)
  const text = (column: Column) => {
    const value = find(column)?.value
    return typeof value === 'string' ? value : undefined
  }
  return {
    lat: coordinate('lat', 'northSouth'),
    lng: coordinate('lng', 'eastWest'),
    time: joinTime(find('date')?.value, find('time')?.value, find('zone')?.value),
    precision: measure('precision') ?? (dilution === undefined ? undefined : dilution * PRECISION.perHdop),
    speed: measure('speed', speedUnit),
    course: measure('course'),
    altitude: measure('altitude'),
    battery: toPercent(measure('battery'), isBatteryShare),
    event: text('event'),
    mark: text('mark'),
    ...(validity.length > 0 &&
      lacksFix(Object.fromEntries(validity.map(({ index, name }) => [name, values[index]]))) && { lacksFix: true }),
  }
}

/** More names than any program writes into a row. */
const MAX_NAMES = 200

/** Reads rows that contain their own names, most of which are the same. `unused` lists names without a meaning, once. */
export function createRowReader() {
  let known: { key: string; layout: Layout } | null = null
  return (names: readonly string[], values: readonly unknown[], manner?: Manner) => {
    const key = names.join('\n')
    const isKnown = known?.key === key
    if (!isKnown || !known) known = { key, layout: readNames(names.slice(0, MAX_NAMES)) }
    return { fix: readFix(known.layout, values, manner), unused: isKnown ? [] : known.layout.unused }
  }
}

/** A column of hemispheres without a value: the coordinate itself must have it. */
const NO_LETTER = '?'

const tidy = (value: unknown) => {
  const text = typeof value === 'string' ? value.trim() : value
  return text === '' || text === null ? undefined : text
}

/** Some programs write a share of 1. */
const toPercent = (battery: number | undefined, isShare = battery !== undefined && battery > 0 && battery < 1) =>
  battery !== undefined && isShare ? battery * 100 : battery

/** Coordinates without context; NaN for invalid ones. */
export const toPlace = (lat: unknown, lng: unknown) => ({
  lat: readCoordinate(lat, 'lat') ?? Number.NaN,
  lng: readCoordinate(lng, 'lng') ?? Number.NaN,
})

/** Milliseconds since 1970 of a value without context; null without a value, NaN if unreadable. */
export const toTime = (value: unknown): number | null => (tidy(value) === undefined ? null : readTime(value, 'date'))

const HAS_ZONE = /(?:Z|UTC|GMT|[+-]\d\d:?(?:\d\d)?)\s*$/i

function joinTime(date: unknown, time: unknown, zone: unknown): number | null {
  if (time === undefined && date === undefined) return null
  const joined = date !== undefined && time !== undefined && !String(time).includes(String(date)) ? `${date} ${time}` : (time ?? date)
  const read = (value: unknown) => (zone === undefined ? readTime(value, 'date') : readZoned(value, zone))
  const at = read(joined)
  // A column of dates next to one of complete times.
  return Number.isNaN(at) && joined !== time && time !== undefined ? read(time) : at
}

/**
 * A time without a zone, in the zone of another column: an offset, a number of hours, minutes or seconds, or a name such as Europe/Paris.
 */
function readZoned(value: unknown, zone: unknown): number {
  const plain = readTime(value, 'date')
  if (typeof value !== 'string' || HAS_ZONE.test(value) || readNumber(value) !== undefined) return plain
  const number = readNumber(zone)
  if (number !== undefined) return plain - toMinutes(number) * 60_000
  const offset = readTime(`2000-01-02T00:00:00 ${zone}`)
  if (!Number.isNaN(offset)) return plain + offset - Date.UTC(2000, 0, 2)
  try {
    // The offset is computed twice, because it is the one at the resulting instant.
    return [0, 1].reduce((at) => plain - (wallTime(at, String(zone)) - at), plain)
  } catch {
    return Number.NaN
  }
}

const toMinutes = (offset: number) => (Math.abs(offset) <= 14 ? offset * 60 : Math.abs(offset) <= 14 * 60 ? offset : offset / 60)
