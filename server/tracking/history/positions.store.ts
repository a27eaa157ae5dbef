import { and, eq, inArray, or, sql } from 'drizzle-orm'
import { normalizeIdentifier, normalizeSerial } from '#contracts/rules/reading/text.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { preparedOn } from '#db/prepared.ts'
import { devices } from '#db/schema/devices.ts'
import { positions, trackingStates } from '#db/schema/positions.ts'
import type { DeviceRow } from '#db/scope.ts'
import type { AuthenticatedKey } from '#db/sessions.ts'

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

/** Prepared statements, since they run for every uplink. */
const statementsOn = preparedOn((tx: Tx) => ({
  byId: tx
    .select()
    .from(devices)
    .where(eq(devices.id, sql.placeholder('deviceId')))
    .prepare(),
  byIdentifier: tx
    .select()
    .from(devices)
    .where(eq(devices.identifier, sql.placeholder('number')))
    .prepare(),
  bySerial: tx
    .select()
    .from(devices)
    .where(eq(devices.serial, sql.placeholder('number')))
    .prepare(),
  point: tx
    .select({ lat: positions.lat, lng: positions.lng })
    .from(positions)
    .where(and(eq(positions.deviceId, sql.placeholder('deviceId')), eq(positions.time, sql.placeholder('time'))))
    .prepare(),
  save: tx
    .update(devices)
    .set(Object.fromEntries(SEEN.map((column) => [column, sql`${sql.placeholder(column)}`])))
    .where(eq(devices.id, sql.placeholder('id')))
    .prepare(),
}))

type Numbers = { identifier: string | null | undefined; serial: string | null | undefined }

/**
 * Finds a tracker of any account by its numbers; all numbers in the message must match. The key of a single tracker, `deviceId`, needs no
 * number and is valid for no other tracker.
 */
export async function findTracker(tx: Tx, { identifier, serial }: Numbers, deviceId: number | null = null) {
  if (identifier === null || serial === null) return undefined
  const row = await firstBy(tx, deviceId, identifier, serial)
  if (!row || (identifier !== undefined && row.identifier !== identifier)) return undefined
  return serial !== undefined && row.serial !== serial ? undefined : row
}

async function firstBy(tx: Tx, deviceId: number | null, identifier?: string, serial?: string) {
  const { byId, byIdentifier, bySerial } = statementsOn(tx)
  if (deviceId !== null) return (await byId.execute({ deviceId }))[0]
  if (identifier !== undefined) return (await byIdentifier.execute({ number: identifier }))[0]
  return serial === undefined ? undefined : (await bySerial.execute({ number: serial }))[0]
}

/** The accounts of the trackers that `findTracker` finds by these numbers, and perhaps others. */
export function listAccounts(db: DbReader, named: readonly (Numbers & { deviceId: number | null })[]) {
  const present = <T>(values: readonly (T | null | undefined)[]) => values.filter((value) => value !== null && value !== undefined)
  const isNamed = or(
    inArray(devices.id, present(named.map(({ deviceId }) => deviceId))),
    inArray(devices.identifier, present(named.map(({ identifier }) => identifier))),
    inArray(devices.serial, present(named.map(({ serial }) => serial))),
  )
  return db.selectDistinct({ accountId: devices.accountId }).from(devices).where(isNamed)
}

/** The position at that second, including uncommitted ones of this transaction. */
export async function findPoint(tx: Tx, deviceId: number, at: Date) {
  const [point] = await statementsOn(tx).point.execute({ deviceId, time: Math.floor(at.getTime() / 1000) })
  return point ?? null
}

export function saveSeen(tx: Tx, device: DeviceRow) {
  const values: Record<string, unknown> = { id: device.id }
  for (const column of SEEN) values[column] = stored(device[column])
  return statementsOn(tx).save.execute(values)
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
