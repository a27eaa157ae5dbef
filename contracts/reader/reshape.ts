import { type Fields, findField, findNamed, isRecord } from './names.ts'

/**
 * Converts values that a backend sends in another form, or at another place, to the contract's. Each function returns unchanged what it
 * cannot convert.
 */

const POINT_NAMES = ['point', 'geometry', 'geom', 'coordinates', 'coords', 'location', 'position', 'latlng', 'lat_lng']
const WKT = /^(?:SRID=\d+;)?\s*POINT(?:\s*Z)?\s*\(\s*(-?[\d.]+)\s+(-?[\d.]+)/i
const LAT_LNG = /^\s*(-?\d+(?:\.\d+)?)\s*[,;]\s*(-?\d+(?:\.\d+)?)\s*$/

/** The coordinates of GeoJSON (a point, a feature, an array), WKT or `48.85,2.35`, or of fields of any name; undefined when there are none. */
function readPoint(value: unknown): { lat: unknown; lng: unknown } | undefined {
  if (typeof value === 'string') {
    const [, east, north] = WKT.exec(value) ?? []
    const [, lat = north, lng = east] = LAT_LNG.exec(value) ?? []
    return lat === undefined ? undefined : { lat: Number(lat), lng: Number(lng) }
  }
  // The longitude comes first (RFC 7946, 3.1.1).
  if (Array.isArray(value)) return value.length >= 2 && value.every(Number.isFinite) ? { lat: value[1], lng: value[0] } : undefined
  if (!isRecord(value)) return undefined
  const [lat, lng] = [findField(value, 'lat'), findField(value, 'lng')]
  return lat !== undefined && lng !== undefined ? { lat, lng } : readPoint(findNamed(value, POINT_NAMES))
}

/** A position, or a place, with coordinates of its own. */
export function reshapePosition(value: unknown): unknown {
  if (isRecord(value) && value.lat !== undefined && value.lng !== undefined) return value
  const point = readPoint(value)
  if (!point) return value
  return isRecord(value) ? { ...(isRecord(value.properties) && value.properties), ...value, ...point } : point
}

/** A position of a history. Where the backend sends no id, its time identifies it. */
export function reshapeHistoryPoint(value: unknown): unknown {
  const position = reshapePosition(value)
  if (!isRecord(position) || (position.id !== undefined && position.id !== null)) return position
  const time = findField(position, 'datetime')
  const millis = typeof time === 'string' ? Date.parse(time) : Number(time)
  return Number.isFinite(millis) ? { ...position, id: -Math.abs(Math.round(millis)) } : position
}

/** A range given as one number, such as an update every ten minutes. */
export function reshapeRange(value: unknown): unknown {
  const number = value === null || value === '' ? Number.NaN : Number(value)
  return Number.isFinite(number) ? { min: number, max: number } : value
}

/** Objects of a tracker, and fields that the contract has on the tracker itself: a backend may have each here or there. */
const SECTIONS = ['tracker_status', 'tracker_config'] as const
const OF_TRACKER = ['serial', 'identifier', 'kind', 'tag', 'is_public', 'visible', 'operator', 'online_since', 'active_collar_since']

const EVENT_TIMES = ['last_event_datetime', 'last_event_date', 'last_event_time', 'last_event_at']
const POSITION_TIMES = [
  'last_position_datetime',
  'last_position_date',
  'last_position_time',
  'last_position_at',
  'last_seen',
  'last_seen_at',
  'last_update',
  'last_updated',
]

/** The fields of a tracker, and those of each of its sections. */
export type TrackerFields = { tracker: ReadonlySet<string>; tracker_status: ReadonlySet<string>; tracker_config: ReadonlySet<string> }

/** A tracker with each field at its place in the contract; `onMoved` receives those that moved. */
export function reshapeTracker(value: unknown, known: TrackerFields, onMoved: (path: string) => void): unknown {
  if (!isRecord(value) || isAsContract(value, known)) return value
  const [status = {}, config = {}] = SECTIONS.map((name) => findField(value, name)).map((each) => (isRecord(each) ? each : {}))
  const everywhere = [value, status, config]
  const move = (into: Fields, key: string, path: string) => {
    if ((into[key] ?? findField(into, key)) !== undefined) return
    const found = everywhere.map((fields) => findField(fields, key)).find((each) => each !== undefined)
    const isNull = found === undefined && !(key in into) && everywhere.some((fields) => fields[key] === null)
    if (found === undefined && !isNull) return
    into[key] = found ?? null
    onMoved(path)
  }
  const result: Fields = { ...value, tracker_status: { ...status }, tracker_config: { ...config } }
  for (const key of OF_TRACKER) move(result, key, key)
  for (const name of SECTIONS) for (const key of known[name]) move(result[name] as Fields, key, `${name}.${key}`)
  addKind(result, () => onMoved('kind'))
  addMoments(result.tracker_status as Fields, everywhere, () => onMoved('tracker_status.last_position'))
  return result
}

/**
 * Whether a tracker has exactly the fields of the contract at their places, so that no field can be at another place or have another name.
 */
function isAsContract(value: Fields, known: TrackerFields) {
  const { tracker_status: status, tracker_config: config } = value
  if (!isRecord(status) || !isRecord(config) || typeof value.kind !== 'string' || !OF_TRACKER.every((key) => key in value)) return false
  const { last_position: position, last_event: event } = status
  const isTimed = (each: unknown): each is Fields => isRecord(each) && typeof each.datetime === 'string'
  const isPlaced = position === null || (isTimed(position) && position.lat !== undefined && position.lng !== undefined)
  const isWhole = isPlaced && (event === null || isTimed(event))
  return isWhole && hasOnly(value, known.tracker) && hasOnly(status, known.tracker_status) && hasOnly(config, known.tracker_config)
}

function hasOnly(fields: Fields, names: ReadonlySet<string>) {
  for (const name in fields) if (!names.has(name)) return false
  return true
}

/** Derives the icon from the usage if nothing else determines it. */
function addKind(result: Fields, onFound: () => void) {
  const usage = findField(result.tracker_config as Fields, 'usage')
  if (findField(result, 'kind') !== undefined || usage === undefined) return
  result.kind = usage
  onFound()
}

/** Fills position and event of a tracker from fields next to them, such as `latitude` and `last_event_date`. */
function addMoments(status: Fields, everywhere: Fields[], onFlat: () => void) {
  const findTime = (names: string[]) => everywhere.map((fields) => findNamed(fields, names)).find((each) => each !== undefined)
  const given = findField(status, 'last_position')
  const flat = given === undefined ? everywhere.find(readPoint) : undefined
  const position = reshapePosition(given ?? (flat && pickPosition(flat)))
  if (flat) onFlat()
  if (isRecord(position)) status.last_position = { ...position, datetime: findField(position, 'datetime') ?? findTime(POSITION_TIMES) }
  const event = findField(status, 'last_event')
  if (event === undefined) return
  const fields: Fields = isRecord(event) ? event : { type: event }
  const datetime =
    findField(fields, 'datetime') ?? findTime(EVENT_TIMES) ?? (isRecord(status.last_position) ? status.last_position.datetime : undefined)
  status.last_event = { ...fields, datetime }
}

const pickPosition = (fields: Fields): Fields => ({
  ...readPoint(fields),
  precision: findField(fields, 'precision'),
  datetime: findField(fields, 'datetime'),
})
