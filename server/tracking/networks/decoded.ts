import type { UplinkMapping } from '#contracts/networks.ts'
import { type Axis, readCoordinate, readE7 } from '#contracts/rules/reading/coordinate.ts'
import { MEASURE_NAMES } from '#contracts/rules/reading/measures.ts'
import { readNumber } from '#contracts/rules/reading/number.ts'
import { isPress } from '#contracts/rules/reading/press.ts'
import { correctRollover, readTime } from '#contracts/rules/reading/time.ts'
import { lacksFix } from '#contracts/rules/reading/validity.ts'
import { DAY_MS, formatInstant, MINUTE_MS } from '#contracts/rules/time.ts'
import { type Battery, type Fix, findCoordinates, isObject, type StoredUplink } from '#server/tracking/networks/formats/uplink.ts'
import { readMeasures } from '#server/tracking/protocols/report.ts'

type Values = Record<string, unknown>

/** Names in lower case without `_`, `-` and a number at the end, as `plainName` makes them. */
const NAMES = {
  lat: ['latitude', 'lat', 'gpslatitude', 'gpslat', 'latitudedeg', 'latdeg', 'latitudedegrees'],
  lng: [
    'longitude',
    'lng',
    'lon',
    'long',
    'gpslongitude',
    'gpslng',
    'gpslon',
    'gpslong',
    'longitudedeg',
    'londeg',
    'lngdeg',
    'longitudedegrees',
  ],
  latSide: ['ns', 'n/s', 'latitudehemisphere', 'lathemisphere', 'latdir', 'latitudedirection', 'latitudedir'],
  lngSide: ['ew', 'e/w', 'longitudehemisphere', 'lnghemisphere', 'lonhemisphere', 'lngdir', 'londir', 'longitudedirection', 'longitudedir'],
  accuracy: [...MEASURE_NAMES.precision, 'radius'],
  hdop: ['hdop', 'gpshdop'],
  time: ['time', 'timestamp', 'datetime', 'gpstime', 'fixtime', 'positiontime'],
  percent: ['batterylevel', 'batterypercent', 'batterypercentage', 'batterypct', 'battpercent', 'battpct', 'batpercent', 'batpct', 'soc'],
  volts: ['batteryvoltage', 'batteryv', 'batterymv', 'battv', 'battmv', 'batv', 'batmv', 'vbat', 'vbatt', 'battvoltage', 'batvoltage'],
  battery: ['battery', 'batt', 'bat'],
} as const

/** Objects in which decoders put a position or a battery. */
const GROUPS =
  /^(gps|gnss|geo|position|pos|location|loc|coordinates|fix|data|payload|decoded|object|message|values?|measurements?|tracker|status|battery)$/
const MAX_DEPTH = 4

const plainName = (name: string) =>
  name
    .toLowerCase()
    .replace(/[\s_-]/g, '')
    .replace(/\d+$/, '')

function findValue(values: Values, names: readonly string[]): unknown {
  const fields = listFields(values)
  const name = names.find((name) => fields.has(name))
  return name === undefined ? undefined : fields.get(name)
}

const fieldsOf = new WeakMap<Values, Map<string, unknown>>()

/** The first 200 values of an object that are not objects, by plain name: an uplink is searched for dozens of names. */
function listFields(values: Values) {
  const known = fieldsOf.get(values)
  if (known) return known
  const fields = new Map<string, unknown>()
  for (const [key, value] of Object.entries(values).slice(0, 200)) {
    const name = plainName(key)
    if (!fields.has(name) && !isObject(value)) fields.set(name, value)
  }
  fieldsOf.set(values, fields)
  return fields
}

/** The object and those inside it, outer ones first. */
function listGroups(decoded: object): Values[] {
  let level = [decoded as Values]
  const groups = [...level]
  for (let depth = 1; depth < MAX_DEPTH && level.length > 0; depth++) {
    level = level
      .flatMap((values) =>
        Object.entries(values)
          .filter(([name]) => GROUPS.test(plainName(name)))
          .map(([, value]) => value),
      )
      .filter(isObject)
      .slice(0, 50)
    groups.push(...level)
  }
  return groups
}

/** The value at a dotted path; numbers in it count the entries of an array from 0. */
const followPath = (decoded: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, step) =>
        typeof value === 'object' && value !== null ? Object.entries(value).find(([name]) => name === step)?.[1] : undefined,
      decoded,
    )

/**
 * Reads an uplink as positions and a battery. The position comes from the decoded payload, by the owner's mapping or under common names;
 * else from a payload in the Cayenne format; else from the network's own location.
 */
export function readUplink(uplink: StoredUplink, mapping: UplinkMapping | undefined): UplinkContent {
  const { decoded, at } = uplink
  const groups = decoded ? listGroups(decoded) : []
  const isPressed = groups.some(isPress)
  const { coordinates, beside } = findDecodedPlace(uplink, groups, mapping) ?? {}
  const point = coordinates && findCoordinates(...coordinates)
  const isGivenWhole = coordinates?.every(isGiven) ?? false
  const isWithoutFix = isGivenWhole && (!point || lacksFixInAny(groups, beside))
  const located = isWithoutFix && isSamePlace(uplink.located, coordinates ?? []) ? undefined : uplink.located
  const position = point && beside && !isWithoutFix ? buildFix(point, beside, at) : located
  const battery = (decoded && findBattery(decoded, mapping?.battery)) ?? uplink.battery
  return {
    positions: position ? [isPressed ? { ...position, event: 'button' } : position] : [],
    battery,
    ...(isPressed && { isPressed }),
    ...(isWithoutFix && !position && { isWithoutFix }),
  }
}

type UplinkContent = { positions: Fix[]; battery?: Battery | undefined; isPressed?: boolean; isWithoutFix?: boolean }
type DecodedPlace = { coordinates: [latitude: unknown, longitude: unknown]; beside: Values[] }

/** Both coordinates from the decoded payload, and the fields that belong to them. */
function findDecodedPlace(
  { decoded, payload }: StoredUplink,
  groups: Values[],
  mapping: UplinkMapping | undefined,
): DecodedPlace | undefined {
  if (decoded && mapping?.latitude && mapping.longitude)
    return { coordinates: [followPath(decoded, mapping.latitude), followPath(decoded, mapping.longitude)], beside: groups }
  const places = groups.map((values): DecodedPlace => ({ coordinates: listCoordinates(values), beside: [values, decoded as Values] }))
  const named =
    places.find(({ coordinates }) => findCoordinates(...coordinates)) ?? places.find(({ coordinates }) => coordinates.every(isGiven))
  if (named) return named
  const cayenne = !decoded && payload ? decodeCayenne(payload) : undefined
  return cayenne && { coordinates: [cayenne.latitude, cayenne.longitude], beside: [cayenne] }
}

/** The common names of coordinates; degrees times 1e7 have separate names, and a hemisphere may stand next to degrees. */
function listCoordinates(values: Values): DecodedPlace['coordinates'] {
  const read = (axis: Axis) => {
    const scaled = Object.keys(values).find((name) => E7[axis].test(name))
    if (scaled !== undefined) return readE7(values[scaled], axis)
    const degrees = findValue(values, NAMES[axis])
    const side = findValue(values, NAMES[`${axis}Side`])
    return side === undefined ? degrees : (readCoordinate(degrees, axis, side) ?? degrees)
  }
  return [read('lat'), read('lng')]
}

const E7 = { lat: /^(gps_?)?lat(itude)?_?e7$/i, lng: /^(gps_?)?(lng|long?|longitude)_?e7$/i }

const isGiven = (value: unknown) => value !== undefined && value !== null && value !== ''

/** Fields of the position, around it, or in a group without coordinates of its own, such as `gps: { fix: 0 }`. */
const lacksFixInAny = (groups: Values[], beside: Values[] = []) =>
  beside.some((values) => lacksFix(values)) || groups.some((values) => !listCoordinates(values).some(isGiven) && lacksFix(values))

/** Networks repeat the coordinates of a decoded payload as a location of their own. */
function isSamePlace(located: Fix | undefined, coordinates: readonly unknown[]) {
  const [lat, lng] = coordinates.map(readNumber)
  return located !== undefined && Math.abs(located.lat - (lat ?? 0)) < 1e-4 && Math.abs(located.lng - (lng ?? 0)) < 1e-4
}

/** Completes a position from neighbouring fields. A speed counts only with its unit, because decoders do not agree on one. */
function buildFix(point: { lat: number; lng: number }, groups: readonly Values[], at: string): Fix {
  const find = (names: readonly string[]) => groups.map((values) => findValue(values, names)).find((value) => value !== undefined)
  const number = (names: readonly string[]) => readNumber(find(names))
  return {
    ...point,
    datetime: pickTime(find(NAMES.time), at),
    ...readMeasures(
      {
        accuracy: number(NAMES.accuracy),
        hdop: number(NAMES.hdop),
        course: number(MEASURE_NAMES.course),
        altitude: number(MEASURE_NAMES.altitude),
      },
      groups,
    ),
  }
}

/** The time of the fix if it is plausible, else the time of the uplink: many decoders send a counter, or a clock without a date. */
function pickTime(value: unknown, at: string) {
  const received = Date.parse(at)
  const time = correctRollover(readTime(value), received)
  const age = received - time
  return age > -10 * MINUTE_MS && age < 30 * DAY_MS ? formatInstant(new Date(time)) : at
}

/** Above this, the number of a battery is in millivolts; integers up to it are percent, others volts. */
const MAX_PERCENT = 100
const MAX_VOLTS = 20

function findBattery(decoded: object, path: string | null | undefined): Battery | undefined {
  if (path) return guessBattery(readNumber(followPath(decoded, path)))
  for (const values of listGroups(decoded)) {
    const percent = readNumber(findValue(values, NAMES.percent))
    if (percent !== undefined && percent >= 0 && percent <= MAX_PERCENT) return { percent: Math.round(percent) }
    const volts = readNumber(findValue(values, NAMES.volts))
    if (volts !== undefined && volts > 0) return { millivolts: Math.round(volts > MAX_VOLTS ? volts : volts * 1000) }
    const battery = guessBattery(readNumber(findValue(values, NAMES.battery)))
    if (battery) return battery
  }
  return undefined
}

function guessBattery(value: number | undefined): Battery | undefined {
  if (value === undefined || value < 0) return undefined
  if (value > MAX_PERCENT) return { millivolts: Math.round(value) }
  return Number.isInteger(value) || value > MAX_VOLTS ? { percent: Math.round(value) } : { millivolts: Math.round(value * 1000) }
}

const MAX_FIELDS = 60

/** The numbers of a decoded payload by their dotted paths. */
export function listNumbers(decoded: object): Record<string, number> {
  const found: [string, number][] = []
  const visit = (value: unknown, path: string[]) => {
    if (found.length >= MAX_FIELDS || path.length > 8) return
    const number = typeof value === 'boolean' ? undefined : readNumber(value)
    if (number !== undefined) found.push([path.join('.'), number])
    else if (typeof value === 'object' && value !== null) for (const [name, inner] of Object.entries(value)) visit(inner, [...path, name])
  }
  visit(decoded, [])
  return Object.fromEntries(found)
}

/** Bytes of a value by type, as in the Cayenne Low Power Payload and its common extensions. */
const SIZES: Record<number, number> = {
  0: 1,
  1: 1,
  2: 2,
  3: 2,
  100: 4,
  101: 2,
  102: 1,
  103: 2,
  104: 1,
  113: 6,
  115: 2,
  116: 2,
  117: 2,
  118: 4,
  120: 1,
  121: 2,
  125: 2,
  128: 2,
  130: 4,
  131: 4,
  132: 2,
  133: 4,
  134: 6,
  135: 3,
  136: 9,
  142: 1,
}
const [TIME, GPS] = [133, 136]

/**
 * Decodes position and time of a Cayenne Low Power Payload. Undefined unless every byte belongs to a known value and one of them is a
 * position: other payloads may begin like one.
 */
export function decodeCayenne(hex: string): { latitude: number; longitude: number; altitude: number; time?: number } | undefined {
  const bytes = Buffer.from(hex, 'hex')
  let position: { latitude: number; longitude: number; altitude: number } | undefined
  let time: number | undefined
  for (let at = 0; at < bytes.length; ) {
    const type = bytes[at + 1] ?? -1
    const size = SIZES[type]
    if (size === undefined || at + 2 + size > bytes.length) return undefined
    if (type === GPS)
      position ??= {
        latitude: bytes.readIntBE(at + 2, 3) / 1e4,
        longitude: bytes.readIntBE(at + 5, 3) / 1e4,
        altitude: bytes.readIntBE(at + 8, 3) / 100,
      }
    if (type === TIME) time ??= bytes.readUInt32BE(at + 2)
    at += 2 + size
  }
  return position && { ...position, ...(time !== undefined && { time }) }
}
