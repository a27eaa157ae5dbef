import { and, asc, eq, inArray, or, sql } from 'drizzle-orm'
import { alertContacts, alertDevices, alerts, contacts, places } from '#db/schema/places.ts'
import type { Reader, Tx } from '#db/sqlite/open.ts'
import { preparedOn } from '#db/sqlite/prepared.ts'

/** What an alert watches for one tracker: the border of a place, or its vehicle. */
export type WatchRow = Awaited<ReturnType<typeof watchRows>>[number]

/** Lists the alerts of a tracker with their state. Prepared, because every uplink needs it. */
export const watchRows = (db: Reader, deviceId: number) => watchesOn(db).execute({ deviceId })

const watchesOn = preparedOn((db: Reader) =>
  db
    .select({
      alertId: alerts.id,
      trigger: alerts.trigger,
      isVehicleAlert: alerts.isVehicleAlert,
      crossing: alertDevices.crossing,
      place: { id: places.id, name: places.name, lat: places.lat, lng: places.lng, radius: places.radius },
    })
    .from(alertDevices)
    .innerJoin(alerts, eq(alerts.id, alertDevices.alertId))
    .leftJoin(places, eq(places.id, alerts.placeId))
    .where(and(eq(alertDevices.deviceId, sql.placeholder('deviceId')), or(alerts.isVehicleAlert, sql`${places.id} is not null`)))
    .orderBy(asc(alerts.id))
    .prepare(),
)

type Known = { alertId: number; deviceId: number; crossing: unknown; firedAt?: Date | undefined }

export const keepCrossing = (tx: Tx, { alertId, deviceId, crossing, firedAt }: Known) =>
  tx
    .update(alertDevices)
    .set({ crossing, ...(firedAt && { firedAt }) })
    .where(and(eq(alertDevices.alertId, alertId), eq(alertDevices.deviceId, deviceId)))

export async function contactEmails(db: Reader, alertIds: number[]) {
  const rows = await db
    .selectDistinct({ email: contacts.email })
    .from(contacts)
    .innerJoin(alertContacts, eq(alertContacts.contactId, contacts.id))
    .where(inArray(alertContacts.alertId, alertIds))
    .orderBy(asc(contacts.email))
  return rows.map((row) => row.email)
}
