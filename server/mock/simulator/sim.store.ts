import { asc, eq, isNotNull } from 'drizzle-orm'
import { devices } from '#db/schema/devices.ts'
import type { Reader } from '#db/sqlite/open.ts'

export type SimTracker = Awaited<ReturnType<typeof trackersOf>>[number]

const columns = {
  id: devices.id,
  identifier: devices.identifier,
  name: devices.name,
  type: devices.type,
  lat: devices.lat,
  lng: devices.lng,
}

/** Trackers with an identifier, which are those that can send. */
export const trackersOf = (db: Reader) => db.select(columns).from(devices).where(isNotNull(devices.identifier)).orderBy(asc(devices.id))

export async function trackerOf(db: Reader, id: number) {
  const [tracker] = await db.select(columns).from(devices).where(eq(devices.id, id))
  return tracker
}
