import { and, asc, eq, inArray } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { devices } from '#db/schema/devices.ts'
import { alertDevices, alerts, placeDevices, places } from '#db/schema/places.ts'
import { devicesOf, ofAccount, type Viewer } from '#db/scope.ts'

export type PlaceRow = typeof places.$inferSelect

/** A place with its trackers, limited to those the viewer may see. */
export type PlaceWithDevices = { place: PlaceRow; devices: number[] }

const BATCH = 1000

/** Lists the places the viewer may see, or only the place with the id. */
export async function listVisiblePlaces(db: DbReader, viewer: Viewer, id?: number): Promise<PlaceWithDevices[]> {
  const inSight = and(ofAccount(places.accountId, viewer), id === undefined ? undefined : eq(places.id, id))
  const rows = await db.select().from(places).where(inSight)
  const enabled = await db
    .select({ placeId: placeDevices.placeId, deviceId: devices.id })
    .from(placeDevices)
    .innerJoin(places, eq(places.id, placeDevices.placeId))
    .innerJoin(devices, eq(devices.id, placeDevices.deviceId))
    .where(and(inSight, devicesOf(db, viewer)))
    .orderBy(asc(devices.id))
  const facts = new Map(rows.map((place) => [place.id, { place, devices: [] as number[] }]))
  for (const { placeId, deviceId } of enabled) facts.get(placeId)?.devices.push(deviceId)
  return [...facts.values()]
}

export async function findVisiblePlace(db: DbReader, viewer: Viewer, id: number) {
  const [found] = await listVisiblePlaces(db, viewer, id)
  return found
}

export async function listVisibleDeviceIds(db: DbReader, viewer: Viewer) {
  const rows = await db.select({ id: devices.id }).from(devices).where(devicesOf(db, viewer))
  return new Set(rows.map(({ id }) => id))
}

export const countPlaces = (db: DbReader, accountId: number) => db.$count(places, eq(places.accountId, accountId))

/** Inserts places and returns them in the given order. */
export async function insertPlaces(tx: Tx, rows: Omit<PlaceRow, 'id'>[]) {
  const added: PlaceRow[] = []
  for (let first = 0; first < rows.length; first += BATCH)
    added.push(
      ...(await tx
        .insert(places)
        .values(rows.slice(first, first + BATCH))
        .returning()),
    )
  return added.sort((a, b) => a.id - b.id)
}

export const updatePlace = (tx: Tx, { id, ...values }: PlaceRow) => tx.update(places).set(values).where(eq(places.id, id))

export const removePlace = (tx: Tx, id: number) => tx.delete(places).where(eq(places.id, id))

/** Replaces the trackers of a place, leaving trackers that the viewer may not see untouched. */
export async function replacePlaceDevices(tx: Tx, viewer: Viewer, placeId: number, deviceIds: number[]) {
  const seen = tx.select({ id: devices.id }).from(devices).where(devicesOf(tx, viewer))
  await tx.delete(placeDevices).where(and(eq(placeDevices.placeId, placeId), inArray(placeDevices.deviceId, seen)))
  for (let first = 0; first < deviceIds.length; first += BATCH)
    await tx.insert(placeDevices).values(deviceIds.slice(first, first + BATCH).map((deviceId) => ({ placeId, deviceId })))
}

/** Clears which side of the border the trackers were on, because the border has moved. */
export const clearPlaceCrossings = (tx: Tx, placeId: number) =>
  tx
    .update(alertDevices)
    .set({ crossing: null })
    .where(inArray(alertDevices.alertId, tx.select({ id: alerts.id }).from(alerts).where(eq(alerts.placeId, placeId))))
