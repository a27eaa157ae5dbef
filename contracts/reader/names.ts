/**
 * Alternative names of a field. A specification that lists a tracker's fields does not fix their names in JSON, so a reader that finds
 * nothing under the contract's name tries these.
 */

export type Fields = Record<string, unknown>

export const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The most specific name first. */
const OTHER_NAMES: Record<string, readonly string[]> = {
  uuid: ['token', 'key', 'identifier', 'id'],
  lat: ['latitude'],
  lng: ['lon', 'long', 'longitude'],
  precision: ['accuracy', 'horizontal_accuracy', 'uncertainty'],
  serial: ['serial_number', 'serial_no', 'sn', 's_n'],
  is_public: ['public', 'public_flag'],
  battery: ['battery_level', 'battery_percent', 'battery_percentage'],
  last_position: ['position', 'last_location', 'location', 'last_known_position', 'current_position'],
  last_address: ['address', 'current_address'],
  last_event: ['event', 'latest_event'],
  stationary_since: ['stopped_since'],
  online_since: ['connected_since'],
  sub_state: ['subscription_state', 'subscription_status'],
  sub_end_date: ['subscription_end_date', 'subscription_end', 'sub_end'],
  frequency_moving: ['update_frequency_moving', 'moving_frequency'],
  url: ['checkout_url', 'session_url', 'payment_url', 'portal_url', 'redirect_url', 'href'],
  frequency_stationary: ['update_frequency_stationary', 'stationary_frequency'],
}

/** Names under which frameworks send the token of a sign-in. */
const TOKEN_NAMES = ['key', 'access', 'auth_token', 'access_token', 'jwt']

/** Names of the time of a position or an event. */
const TIME_NAMES = ['date', 'time', 'timestamp', 'updated_at', 'recorded_at', 'reported_at', 'fix_time', 'created_at', 'ts']

const toCamelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Alternative names of a field, each in snake and in camel case. `parent` is the path of its object. */
export function listAliases(key: string, parent: string): readonly string[] {
  if (key === 'token' && parent === '') return TOKEN_NAMES
  const names = [key, ...(key === 'datetime' ? TIME_NAMES : (OTHER_NAMES[key] ?? []))]
  return [...new Set([...names, ...names.map(toCamelCase)])].slice(1)
}

/** Returns the value of the first of these names that is present. */
export const findNamed = (fields: Fields, names: readonly string[]): unknown => {
  const name = names.find((each) => fields[each] !== undefined && fields[each] !== null)
  return name === undefined ? undefined : fields[name]
}

/** Returns the value of a field under its own or an alternative name. */
export const findField = (fields: Fields, key: string): unknown => findNamed(fields, listNames(key))

const namesOf = new Map<string, readonly string[]>()

/** Cached per field, because a list of trackers looks up every field of each of them. */
function listNames(key: string): readonly string[] {
  const names = namesOf.get(key) ?? [key, ...listAliases(key, '.')]
  namesOf.set(key, names)
  return names
}

/**
 * Names that only one backend uses: the path of a field in the contract, and its path in the backend, both relative to the object that a
 * response shows or lists. `{ "tracker_status.last_position": "whereabouts.now" }`.
 */
export type OwnNames = Readonly<Record<string, string>>

export const findPath = (value: unknown, path: string): unknown =>
  path.split('.').reduce((at, name) => (isRecord(at) ? at[name] : undefined), value)

function withPath(fields: Fields, [name = '', ...rest]: string[], value: unknown): Fields {
  const inner = fields[name]
  return { ...fields, [name]: rest.length === 0 ? value : withPath(isRecord(inner) ? inner : {}, rest, value) }
}

/** Copies fields from the backend's own names to the contract's names; existing fields of the contract stay. */
export function applyOwnNames(value: unknown, names: OwnNames): unknown {
  if (!isRecord(value)) return value
  return Object.entries(names).reduce<Fields>((fields, [path, own]) => {
    const [known, found] = [findPath(fields, path), findPath(fields, own)]
    const isMissing = (known === undefined || known === null) && found !== undefined && found !== null
    return isMissing ? withPath(fields, path.split('.'), found) : fields
  }, value)
}
