import { and, eq, sql } from 'drizzle-orm'
import type { Reader, Tx } from '#db/open.ts'
import type { DeviceRow } from '#db/scope.ts'
import { users } from '#db/tables/accounts.ts'
import { devices } from '#db/tables/devices.ts'
import { positions } from '#db/tables/positions.ts'
import { preparedOn } from '#server/lib/prepared.ts'

/** What a message can change of a tracker. */
const SEEN = [
  'mode',
  'pendingMode',
  'networkState',
  'battery',
  'lat',
  'lng',
  'precision',
  'positionAt',
  'address',
  'lastEvent',
  'lastEventAt',
  'lastMessageAt',
  'stationarySince',
  'onlineSince',
] as const

/** Run at every message. */
const statementsOn = preparedOn((tx: Tx) => ({
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

/** The tracker that signs its messages with these numbers, whoever owns it; with both, both must be its own. */
export async function findTracker(tx: Tx, { identifier, serial }: { identifier: string | null; serial: string | null }) {
  const { byIdentifier, bySerial } = statementsOn(tx)
  if (identifier === null && serial === null) return undefined
  const [row] = identifier === null ? await bySerial.execute({ number: serial }) : await byIdentifier.execute({ number: identifier })
  return row && serial !== null && row.serial !== serial ? undefined : row
}

/** The fix of that second, as the transaction sees it. */
export async function findPoint(tx: Tx, deviceId: number, at: Date) {
  const [point] = await statementsOn(tx).point.execute({ deviceId, time: Math.floor(at.getTime() / 1000) })
  return point ?? null
}

/** Saves what a message can change, and nothing else of the row. */
export const saveSeen = (tx: Tx, device: DeviceRow) =>
  statementsOn(tx).save.execute({ id: device.id, ...Object.fromEntries(SEEN.map((column) => [column, stored(device[column])])) })

/** A placeholder takes a value as it is stored. */
const stored = <T>(value: T | Date) => (value instanceof Date ? value.getTime() : value)

export async function findViewer(db: Reader, userId: number) {
  const [viewer] = await db.select({ accountId: users.accountId, role: users.role }).from(users).where(eq(users.id, userId))
  return viewer
}
