import { and, eq, sql } from 'drizzle-orm'
import { isSct2Board } from '#contracts/rules/display-type.ts'
import type { Reader, Tx } from '#db/open.ts'
import type { DeviceRow } from '#db/scope.ts'
import { users } from '#db/tables/accounts.ts'
import { devices, sct2Params } from '#db/tables/devices.ts'
import { positions } from '#db/tables/positions.ts'

const prepared = new WeakMap<Reader, ReturnType<typeof prepare>>()

/** Asked at every message, hence prepared. */
function statements(db: Reader) {
  const known = prepared.get(db) ?? prepare(db)
  prepared.set(db, known)
  return known
}

const prepare = (db: Reader) => ({
  byIdentifier: db
    .select()
    .from(devices)
    .where(eq(devices.identifier, sql.placeholder('number')))
    .prepare(),
  bySerial: db
    .select()
    .from(devices)
    .where(eq(devices.serial, sql.placeholder('number')))
    .prepare(),
  point: db
    .select({ lat: positions.lat, lng: positions.lng })
    .from(positions)
    .where(and(eq(positions.deviceId, sql.placeholder('deviceId')), eq(positions.time, sql.placeholder('time'))))
    .prepare(),
})

/** The tracker that signs its messages with these numbers, whoever owns it; with both, both must be its own. */
export async function findTracker(db: Reader, { identifier, serial }: { identifier: string | null; serial: string | null }) {
  const { byIdentifier, bySerial } = statements(db)
  if (identifier === null && serial === null) return undefined
  const [row] = identifier === null ? await bySerial.execute({ number: serial }) : await byIdentifier.execute({ number: identifier })
  return row && serial !== null && row.serial !== serial ? undefined : row
}

/** The fix of that second, as the transaction sees it. */
export async function findPoint(db: Reader, deviceId: number, at: Date) {
  const [point] = await statements(db).point.execute({ deviceId, time: Math.floor(at.getTime() / 1000) })
  return point ?? null
}

/** Minutes between two messages of a configurable tracker. */
export async function findPace(db: Reader, { id, boardName }: DeviceRow) {
  if (!isSct2Board(boardName)) return null
  const [pace] = await db.select().from(sct2Params).where(eq(sct2Params.deviceId, id))
  return pace ?? null
}

/** Saves what a message can change of a tracker, and nothing else of the row. */
export const saveSeen = (tx: Tx, device: DeviceRow) => {
  const { mode, pendingMode, networkState, battery, lat, lng, precision, positionAt, address } = device
  const { lastEvent, lastEventAt, lastMessageAt, stationarySince, onlineSince } = device
  const seen = { mode, pendingMode, networkState, battery, lat, lng, precision, positionAt, address }
  return tx
    .update(devices)
    .set({ ...seen, lastEvent, lastEventAt, lastMessageAt, stationarySince, onlineSince })
    .where(eq(devices.id, device.id))
}

export async function findViewer(db: Reader, userId: number) {
  const [viewer] = await db.select({ accountId: users.accountId, role: users.role }).from(users).where(eq(users.id, userId))
  return viewer
}
