import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { DbReader } from '#db/db.ts'
import { alertDevices, alerts } from '#db/schema/places.ts'

/** The condition on alerts that they are enabled vehicle alerts. */
export const isGuarding = and(eq(alerts.isVehicleAlert, true), isNull(alerts.offSince))

/** Lists the given trackers that an enabled vehicle alert watches. */
export async function listVehicleAlertDeviceIds(db: DbReader, deviceIds: number[]) {
  const rows = await db
    .selectDistinct({ id: alertDevices.deviceId })
    .from(alertDevices)
    .innerJoin(alerts, eq(alerts.id, alertDevices.alertId))
    .where(and(inArray(alertDevices.deviceId, deviceIds), isGuarding))
  return new Set(rows.map((row) => row.id))
}
