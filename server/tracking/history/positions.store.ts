import { eq, or, sql } from 'drizzle-orm'
import { normalizeIdentifier, normalizeSerial } from '#contracts/rules/reading/text.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { given, givenRows, givenValues, isAnyOf } from '#db/given-rows.ts'
import { preparedOn } from '#db/prepared.ts'
import { hasOneWriter } from '#db/schema/columns.ts'
import { devices } from '#db/schema/devices.ts'
import { liveEvents, trackingStates } from '#db/schema/positions.ts'
import type { DeviceRow } from '#db/scope.ts'
import type { AuthenticatedKey } from '#db/sessions.ts'
import { appendLiveEvents, type NewLiveEvent, selectEvents } from '#server/live/live-log.store.ts'

/** Columns that an uplink can change. */
const SEEN = [
  'mode',
  'pendingMode',
  'networkState',
  'battery',
  'lat',
  'lng',
  'precision',
  'course',
  'positionAt',
  'address',
  'lastEvent',
  'lastEventAt',
  'lastMessageAt',
  'stationarySince',
  'onlineSince',
  'beforeRest',
] as const

const numbers = { id: devices.id, accountId: devices.accountId, identifier: devices.identifier, serial: devices.serial }

/** A tracker with the saved state of its fixes. */
export type TrackerRow = { device: DeviceRow; state: string | null }

const withStates = (db: DbReader) =>
  db
    .select({ device: devices, state: trackingStates.state })
    .from(devices)
    .leftJoin(trackingStates, eq(trackingStates.deviceId, devices.id))

/** Prepared statements, since they run for every uplink. */
const statementsOn = preparedOn((db: DbReader) => ({
  numbersById: db
    .select(numbers)
    .from(devices)
    .where(eq(devices.id, sql.placeholder('deviceId')))
    .prepare(),
  numbersByIdentifier: db
    .select(numbers)
    .from(devices)
    .where(eq(devices.identifier, sql.placeholder('identifier')))
    .prepare(),
  numbersBySerial: db
    .select(numbers)
    .from(devices)
    .where(eq(devices.serial, sql.placeholder('serial')))
    .prepare(),
  byId: withStates(db)
    .where(eq(devices.id, sql.placeholder('deviceId')))
    .prepare(),
}))

/** Statements for many trackers, for a database server, where each statement costs a round trip. */
const manyOn = preparedOn((db: DbReader) => ({
  numbers: db
    .select(numbers)
    .from(devices)
    .where(or(isAnyOf(devices.id, 'ids'), isAnyOf(devices.identifier, 'identifiers', 'text'), isAnyOf(devices.serial, 'serials', 'text')))
    .prepare(),
  byIds: withStates(db).where(isAnyOf(devices.id, 'ids')).prepare(),
}))

const savingOn = preparedOn((tx: Tx) =>
  hasOneWriter
    ? tx
        .update(devices)
        .set(Object.fromEntries(SEEN.map((column) => [column, sql`${sql.placeholder(column)}`])))
        .where(eq(devices.id, sql.placeholder('id')))
        .prepare()
    : updateSeen(tx).prepare(),
)

/** Saves the columns of the trackers that the placeholder `seen` contains as JSON. */
const updateSeen = (tx: Tx) =>
  tx
    .update(devices)
    .set(givenValues(SEEN))
    .from(givenRows(devices, ['id', ...SEEN], 'seen'))
    .where(eq(devices.id, given('id')))

/** The numbers in a message. Undefined: not in the message. Null: malformed, so no tracker has it. */
export type Numbers = { identifier: string | null | undefined; serial: string | null | undefined }
/** How a message names its tracker. The key of a single tracker, `deviceId`, needs no number and is valid for no other tracker. */
export type TrackerName = Numbers & { deviceId: number | null }
/** A tracker with its account and its numbers. */
export type NumberedTracker = { id: number; accountId: number; identifier: string | null; serial: string | null }

/** Whether a message names this tracker; all numbers in the message must match. */
export function isNamed({ id, ...own }: Omit<NumberedTracker, 'accountId'>, { deviceId, identifier, serial }: TrackerName) {
  if (deviceId === null && identifier === undefined && serial === undefined) return false
  const matches = (number: string | null | undefined, ofTracker: string | null) =>
    number === undefined || (number !== null && number === ofTracker)
  return (deviceId === null || deviceId === id) && matches(identifier, own.identifier) && matches(serial, own.serial)
}

/** Finds trackers of any account by what messages name, and perhaps others. */
export async function findNumbers(db: DbReader, names: readonly TrackerName[]): Promise<NumberedTracker[]> {
  if (!hasOneWriter) {
    const present = <T>(values: readonly (T | null | undefined)[]) => values.filter((value) => value !== null && value !== undefined)
    return manyOn(db).numbers.execute({
      ids: present(names.map(({ deviceId }) => deviceId)),
      identifiers: present(names.map(({ identifier }) => identifier)),
      serials: present(names.map(({ serial }) => serial)),
    })
  }
  const found: NumberedTracker[] = []
  const { numbersById, numbersByIdentifier, numbersBySerial } = statementsOn(db)
  for (const { deviceId, identifier, serial } of names) {
    if (deviceId !== null) found.push(...(await numbersById.execute({ deviceId })))
    else if (identifier) found.push(...(await numbersByIdentifier.execute({ identifier })))
    else if (serial) found.push(...(await numbersBySerial.execute({ serial })))
  }
  return found
}

/** The rows of trackers; those that were removed are missing. */
export async function findTrackers(tx: Tx, ids: readonly number[]): Promise<TrackerRow[]> {
  if (!hasOneWriter) return manyOn(tx).byIds.execute({ ids })
  const found: TrackerRow[] = []
  for (const deviceId of ids) found.push(...(await statementsOn(tx).byId.execute({ deviceId })))
  return found
}

/** Saves the columns that uplinks change, each tracker once. */
export async function saveSeen(tx: Tx, trackers: readonly DeviceRow[]) {
  const rows = trackers.map(seenValues)
  if (!hasOneWriter && rows.length > 0) await savingOn(tx).execute({ seen: JSON.stringify(rows) })
  else for (const row of rows) await savingOn(tx).execute(row)
}

const upsertState = (tx: Tx) => {
  const into = tx.insert(trackingStates)
  const filled = hasOneWriter
    ? into.values({ deviceId: sql.placeholder('deviceId'), state: sql.placeholder('state') })
    : into.select(sql`select ${given('deviceId')}, ${given('state')} from ${givenRows(trackingStates, ['deviceId', 'state'], 'states')}`)
  return filled.onConflictDoUpdate({ target: trackingStates.deviceId, set: { state: sql`excluded.state` } })
}

const savingStateOn = preparedOn((tx: Tx) => upsertState(tx).prepare())

/** Trackers, states and live events in one statement. */
const savingAllOn = preparedOn((tx: Tx) => {
  const seen = tx.$with('seen', {}).as(updateSeen(tx).getSQL())
  const states = tx.$with('states', {}).as(upsertState(tx).getSQL())
  return selectEvents(tx.with(seen, states).insert(liveEvents)).prepare()
})

/** What messages change besides positions; each tracker and its state once, `events` in order. */
type Changes = { trackers: readonly DeviceRow[]; states: ReadonlyMap<number, string>; events: readonly NewLiveEvent[] }

export async function saveChanges(tx: Tx, { trackers, states, events }: Changes) {
  const rows = Array.from(states, ([deviceId, state]) => ({ deviceId, state }))
  if (hasOneWriter) {
    await saveSeen(tx, trackers)
    for (const row of rows) await savingStateOn(tx).execute(row)
    await appendLiveEvents(tx, events)
  } else if (trackers.length + rows.length + events.length > 0) {
    const values = { seen: JSON.stringify(trackers.map(seenValues)), states: JSON.stringify(rows) }
    await appendLiveEvents(tx, events, (eventRows) => savingAllOn(tx).execute({ ...values, events: JSON.stringify(eventRows) }))
  }
}

function seenValues(device: DeviceRow) {
  const values: Record<string, unknown> = { id: device.id }
  for (const column of SEEN) values[column] = stored(device[column])
  return values
}

/** Placeholders bypass Drizzle's encoding, so values must be encoded here. */
const stored = <T>(value: T | Date) => (value instanceof Date ? value.getTime() : value)

/** Deletes the state of a tracker's fixes, so that its next fix is accepted. */
export const removeState = (tx: Tx, deviceId: number) => tx.delete(trackingStates).where(eq(trackingStates.deviceId, deviceId))

const shown = { id: devices.id, type: devices.type }

/**
 * Finds the tracker a key reports for. The key of one tracker reports for it, whatever the phone calls itself: apps send phone numbers and MAC
 * addresses as names. A gateway key needs an identifier or serial as `name`.
 */
export async function findReportingTracker(db: DbReader, { deviceId }: AuthenticatedKey, name = '') {
  const number = normalizeIdentifier(name) ?? normalizeSerial(name)
  if (deviceId === null && number === null) return undefined
  const isIt = deviceId === null ? or(eq(devices.identifier, number ?? ''), eq(devices.serial, number ?? '')) : eq(devices.id, deviceId)
  const [tracker] = await db.select(shown).from(devices).where(isIt)
  return tracker
}
