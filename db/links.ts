import { and, type Column, desc, eq, inArray, notInArray, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#db/db.ts'
import { devices } from '#db/schema/devices.ts'
import { linkDevices, publicLinks } from '#db/schema/sharing.ts'

/** The condition that public links show a tracker, alone or among others. */
export const showsDevice = (device: number | Column): SQL =>
  sql`(${publicLinks.deviceId} = ${device} or ${publicLinks.uuid} in
    (select ${linkDevices.linkUuid} from ${linkDevices} where ${linkDevices.deviceId} = ${device}))`

/** Removes trackers from the links that show them. A link stays valid for its other trackers, and is deleted with the last one. */
export async function removeFromLinks(tx: Tx, deviceIds: readonly number[]) {
  const ids = [...deviceIds]
  const isStaying = and(eq(linkDevices.linkUuid, publicLinks.uuid), notInArray(linkDevices.deviceId, ids))
  const successions = await tx
    .select({ uuid: publicLinks.uuid, next: linkDevices.deviceId })
    .from(publicLinks)
    .innerJoin(linkDevices, isStaying)
    .innerJoin(devices, eq(devices.id, linkDevices.deviceId))
    .where(inArray(publicLinks.deviceId, ids))
    .orderBy(desc(devices.name), desc(devices.id))
  for (const [uuid, next] of new Map(successions.map((row) => [row.uuid, row.next]))) {
    await tx.update(publicLinks).set({ deviceId: next }).where(eq(publicLinks.uuid, uuid))
    await tx.delete(linkDevices).where(and(eq(linkDevices.linkUuid, uuid), eq(linkDevices.deviceId, next)))
  }
  await tx.delete(linkDevices).where(inArray(linkDevices.deviceId, ids))
}
