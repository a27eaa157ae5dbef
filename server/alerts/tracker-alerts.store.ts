import { and, asc, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { preparedOn } from '#db/prepared.ts'
import { devices } from '#db/schema/devices.ts'
import { alertContacts, alertDevices, alerts, batteryContacts, contacts, mailStops, places } from '#db/schema/places.ts'

/** The contacts that get a tracker's low battery alert in addition to its owner; `stoppedAt` is set for those who unsubscribed. */
export const listBatteryContacts = (db: DbReader, deviceId: number) =>
  db
    .select({ id: contacts.id, email: contacts.email, stoppedAt: mailStops.stoppedAt })
    .from(batteryContacts)
    .innerJoin(contacts, eq(contacts.id, batteryContacts.contactId))
    .leftJoin(mailStops, and(eq(mailStops.accountId, contacts.accountId), eq(mailStops.email, contacts.email)))
    .where(eq(batteryContacts.deviceId, deviceId))
    .orderBy(asc(contacts.id))

export async function saveBatteryAlert(tx: Tx, deviceId: number, { threshold, contacts: ids }: { threshold: number; contacts: number[] }) {
  await tx.update(devices).set({ lowBattery: threshold }).where(eq(devices.id, deviceId))
  await tx.delete(batteryContacts).where(eq(batteryContacts.deviceId, deviceId))
  if (ids.length > 0) await tx.insert(batteryContacts).values(ids.map((contactId) => ({ deviceId, contactId })))
}

/** What an alert watches for one tracker: the border of a place, or its vehicle. */
export type WatchRow = Awaited<ReturnType<typeof listWatchRows>>[number]

/** Lists the enabled alerts of a tracker, with their state. Prepared, because every uplink needs it. */
export const listWatchRows = (db: DbReader, deviceId: number) => watchStatement(db).execute({ deviceId })

const watchStatement = preparedOn((db: DbReader) =>
  db
    .select({
      alertId: alerts.id,
      trigger: alerts.trigger,
      isVehicleAlert: alerts.isVehicleAlert,
      crossing: alertDevices.crossing,
      firedAt: alertDevices.firedAt,
      place: { id: places.id, name: places.name, lat: places.lat, lng: places.lng, radius: places.radius },
    })
    .from(alertDevices)
    .innerJoin(alerts, eq(alerts.id, alertDevices.alertId))
    .leftJoin(places, eq(places.id, alerts.placeId))
    .where(
      and(
        eq(alertDevices.deviceId, sql.placeholder('deviceId')),
        isNull(alerts.offSince),
        or(alerts.isVehicleAlert, sql`${places.id} is not null`),
      ),
    )
    .orderBy(asc(alerts.id))
    .prepare(),
)

type CrossingState = { alertId: number; deviceId: number; crossing: unknown; firedAt?: Date | undefined }

export const saveCrossing = (tx: Tx, { alertId, deviceId, crossing, firedAt }: CrossingState) =>
  tx
    .update(alertDevices)
    .set({ crossing, ...(firedAt && { firedAt }) })
    .where(and(eq(alertDevices.alertId, alertId), eq(alertDevices.deviceId, deviceId)))

/** Addresses of the contacts of alerts, without those who unsubscribed. */
export async function listContactEmails(db: DbReader, alertIds: readonly number[]) {
  const rows = await db
    .selectDistinct({ email: contacts.email })
    .from(contacts)
    .innerJoin(alertContacts, eq(alertContacts.contactId, contacts.id))
    .leftJoin(mailStops, and(eq(mailStops.accountId, contacts.accountId), eq(mailStops.email, contacts.email)))
    .where(and(inArray(alertContacts.alertId, alertIds), isNull(mailStops.email)))
    .orderBy(asc(contacts.email))
  return rows.map((row) => row.email)
}
