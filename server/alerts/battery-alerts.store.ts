import { and, asc, eq } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { devices } from '#db/schema/devices.ts'
import { batteryContacts, contacts, mailStops } from '#db/schema/places.ts'

/** The contacts that get a tracker's low battery alert beside its owner; `stoppedAt` is set where they want no alert mails. */
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
