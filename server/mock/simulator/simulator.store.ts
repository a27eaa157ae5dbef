import { asc, eq, inArray, isNotNull } from 'drizzle-orm'
import type { DbReader } from '#db/db.ts'
import { devices, sct2Params } from '#db/schema/devices.ts'

export type SimTracker = Awaited<ReturnType<typeof listTrackers>>[number]

const columns = {
  id: devices.id,
  identifier: devices.identifier,
  name: devices.name,
  type: devices.type,
  lat: devices.lat,
  lng: devices.lng,
}

/** Trackers with an identifier, which are those that can send. */
export const listTrackers = (db: DbReader) => db.select(columns).from(devices).where(isNotNull(devices.identifier)).orderBy(asc(devices.id))

export async function findTracker(db: DbReader, id: number) {
  const [tracker] = await db.select(columns).from(devices).where(eq(devices.id, id))
  return tracker
}

/** The columns of a tracker that decide when it sends. */
export type TrackerSettings = Awaited<ReturnType<typeof listTrackerSettings>>[number]

export const listTrackerSettings = (db: DbReader, identifiers: string[]) =>
  db
    .select({
      identifier: devices.identifier,
      type: devices.type,
      boardName: devices.boardName,
      mode: devices.mode,
      pendingMode: devices.pendingMode,
      boostUntil: devices.boostUntil,
      networkState: devices.networkState,
      networkActivatedAt: devices.networkActivatedAt,
      subState: devices.subState,
      subEndDate: devices.subEndDate,
      lastMessageAt: devices.lastMessageAt,
      frequency: sct2Params.frequency,
      keepalivePeriod: sct2Params.keepalivePeriod,
    })
    .from(devices)
    .leftJoin(sct2Params, eq(sct2Params.deviceId, devices.id))
    .where(inArray(devices.identifier, identifiers))
    .orderBy(devices.identifier)
