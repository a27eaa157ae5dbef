import { and, desc, eq } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { devices } from '#db/schema/devices.ts'
import { publicLinks } from '#db/schema/sharing.ts'
import { devicesOf, type Viewer } from '#db/scope.ts'

export type LinkRow = typeof publicLinks.$inferSelect

const newestFirst = [desc(publicLinks.createdAt), desc(publicLinks.uuid)]

export const listLinksOfDevice = (db: DbReader, deviceId: number) =>
  db
    .select()
    .from(publicLinks)
    .where(eq(publicLinks.deviceId, deviceId))
    .orderBy(...newestFirst)

/** Newest first. */
export const listLinks = (db: DbReader, viewer: Viewer) =>
  db
    .select({ link: publicLinks, deviceName: devices.name })
    .from(publicLinks)
    .innerJoin(devices, eq(devices.id, publicLinks.deviceId))
    .where(devicesOf(db, viewer))
    .orderBy(...newestFirst)

/**
 * Inserts a link unless the tracker has `most` already, and returns the row or undefined. A link of the same instant as another is dated a
 * millisecond later, so that the newest stays first.
 */
export async function addLink(tx: Tx, link: LinkRow, most: number): Promise<LinkRow | undefined> {
  const known = await listLinksOfDevice(tx, link.deviceId)
  if (known.length >= most) return undefined
  const after = known[0] ? known[0].createdAt.getTime() + 1 : 0
  const createdAt = new Date(Math.max(link.createdAt.getTime(), after))
  const [added] = await tx
    .insert(publicLinks)
    .values({ ...link, createdAt })
    .returning()
  return added
}

/** Deletes a link of a visible tracker; returns that tracker, or undefined when there is no such link. */
export async function removeLink(tx: Tx, viewer: Viewer, uuid: string) {
  const [found] = await tx
    .select({ id: devices.id, accountId: devices.accountId })
    .from(publicLinks)
    .innerJoin(devices, eq(devices.id, publicLinks.deviceId))
    .where(and(eq(publicLinks.uuid, uuid), devicesOf(tx, viewer)))
  if (found) await tx.delete(publicLinks).where(eq(publicLinks.uuid, uuid))
  return found
}

/** A link and its tracker for any caller: the uuid is the permission. */
export async function findSharedLink(db: DbReader, uuid: string) {
  const [shared] = await db
    .select({ link: publicLinks, name: devices.name, kind: devices.kind, type: devices.type, icon: devices.icon, photo: devices.photo })
    .from(publicLinks)
    .innerJoin(devices, eq(devices.id, publicLinks.deviceId))
    .where(eq(publicLinks.uuid, uuid))
  return shared
}
export type SharedLink = NonNullable<Awaited<ReturnType<typeof findSharedLink>>>
