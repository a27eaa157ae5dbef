import { and, asc, desc, eq, inArray, notExists, notInArray, or } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { recordEndings } from '#db/endings.ts'
import { showsDevice } from '#db/links.ts'
import { isMaker, type Maker, makerColumns } from '#db/people.ts'
import { users } from '#db/schema/accounts.ts'
import { devices } from '#db/schema/devices.ts'
import { places } from '#db/schema/places.ts'
import { linkDevices, publicLinks } from '#db/schema/sharing.ts'
import { type DeviceRow, devicesOf, ofAccount, type Viewer } from '#db/scope.ts'

export type LinkRow = typeof publicLinks.$inferSelect
type NamedDevice = { id: number; name: string }
type NamedPlace = { id: number; name: string }
/** A link with its trackers (the first one, then the others by name), its destination, and for an administrator its maker. */
export type LinkDetails = { link: LinkRow; first: NamedDevice; others: NamedDevice[]; destination: NamedPlace | null; maker: Maker | null }

const newestFirst = [desc(publicLinks.createdAt), desc(publicLinks.uuid)]

/** Links that show a tracker, alone or among others; newest first. */
const listLinksOfDevice = (db: DbReader, deviceId: number) =>
  db
    .select()
    .from(publicLinks)
    .where(showsDevice(deviceId))
    .orderBy(...newestFirst)

export function listLinksOfDeviceAlone(db: DbReader, deviceId: number) {
  const others = db.select().from(linkDevices).where(eq(linkDevices.linkUuid, publicLinks.uuid))
  return db
    .select()
    .from(publicLinks)
    .where(and(eq(publicLinks.deviceId, deviceId), notExists(others)))
}

/** Trackers of the viewer by their ids, or by their tag; by name. */
export const listDevicesForLink = (db: DbReader, viewer: Viewer, by: { ids: number[] } | { tag: number }): Promise<DeviceRow[]> =>
  db
    .select()
    .from(devices)
    .where(and(devicesOf(db, viewer), 'tag' in by ? eq(devices.tagId, by.tag) : inArray(devices.id, by.ids)))
    .orderBy(asc(devices.name), asc(devices.id))

export async function findPlaceForLink(db: DbReader, viewer: Viewer, id: number): Promise<NamedPlace | undefined> {
  const isVisible = and(ofAccount(places.accountId, viewer), eq(places.id, id))
  const [found] = await db.select({ id: places.id, name: places.name }).from(places).where(isVisible)
  return found
}

/** A link shows all of its trackers, so a viewer must be allowed to see all of them. */
function visibleLinks(db: DbReader, viewer: Viewer) {
  const seen = db.select({ id: devices.id }).from(devices).where(devicesOf(db, viewer))
  const unseen = db
    .select()
    .from(linkDevices)
    .where(and(eq(linkDevices.linkUuid, publicLinks.uuid), notInArray(linkDevices.deviceId, seen)))
  return and(devicesOf(db, viewer), notExists(unseen))
}

/** Links that the viewer may see, newest first; optionally only those that show a tracker. */
export async function listLinks(db: DbReader, viewer: Viewer, deviceId?: number): Promise<LinkDetails[]> {
  const rows = await db
    .select({
      link: publicLinks,
      first: { id: devices.id, name: devices.name },
      destination: { id: places.id, name: places.name },
      maker: makerColumns,
    })
    .from(publicLinks)
    .innerJoin(devices, eq(devices.id, publicLinks.deviceId))
    .leftJoin(places, eq(places.id, publicLinks.destinationId))
    .leftJoin(users, isMaker(publicLinks.createdBy, viewer))
    .where(and(visibleLinks(db, viewer), deviceId === undefined ? undefined : showsDevice(deviceId)))
    .orderBy(...newestFirst)
  const shown = db
    .select({ uuid: publicLinks.uuid })
    .from(publicLinks)
    .innerJoin(devices, eq(devices.id, publicLinks.deviceId))
    .where(devicesOf(db, viewer))
  const others = await db
    .select({ uuid: linkDevices.linkUuid, id: devices.id, name: devices.name })
    .from(linkDevices)
    .innerJoin(devices, eq(devices.id, linkDevices.deviceId))
    .where(inArray(linkDevices.linkUuid, shown))
    .orderBy(asc(devices.name), asc(devices.id))
  const byLink = new Map<string, NamedDevice[]>()
  for (const { uuid, ...device } of others) byLink.set(uuid, [...(byLink.get(uuid) ?? []), device])
  return rows.map((row) => ({ ...row, others: byLink.get(row.link.uuid) ?? [] }))
}

/**
 * Inserts a link unless one of its trackers already has `most` links; returns the row, or those trackers. A link of the same instant as
 * another is dated a millisecond later, so that the newest stays first.
 */
export async function addLink(tx: Tx, link: LinkRow, others: readonly number[], most: number): Promise<LinkRow | { full: number[] }> {
  const full: number[] = []
  let createdAt = link.createdAt.getTime()
  for (const id of [link.deviceId, ...others]) {
    const known = await listLinksOfDevice(tx, id)
    if (known.length >= most) full.push(id)
    if (known[0]) createdAt = Math.max(createdAt, known[0].createdAt.getTime() + 1)
  }
  if (full.length > 0) return { full }
  const [added] = await tx
    .insert(publicLinks)
    .values({ ...link, createdAt: new Date(createdAt) })
    .returning()
  if (others.length > 0) await tx.insert(linkDevices).values(others.map((deviceId) => ({ linkUuid: link.uuid, deviceId })))
  return added!
}

/** Deletes a link that the viewer may see; returns its trackers, the first one first, or undefined when there is no such link. */
export async function removeLink(tx: Tx, viewer: Viewer, uuid: string) {
  const [found] = await tx
    .select({ uuid: publicLinks.uuid })
    .from(publicLinks)
    .innerJoin(devices, eq(devices.id, publicLinks.deviceId))
    .where(and(eq(publicLinks.uuid, uuid), visibleLinks(tx, viewer)))
  const shared = found && (await findSharedLink(tx, uuid))
  if (shared) {
    await tx.delete(publicLinks).where(eq(publicLinks.uuid, uuid))
    await recordEndings(tx, 'public_link', [uuid])
  }
  return shared?.trackers
}

/** A link, its destination and its trackers, the first one first and others by name, for any caller: the uuid is the permission. */
export async function findSharedLink(db: DbReader, uuid: string) {
  const [found] = await db
    .select({
      link: publicLinks,
      destination: { name: places.name, lat: places.lat, lng: places.lng, radius: places.radius, shape: places.shape },
    })
    .from(publicLinks)
    .leftJoin(places, eq(places.id, publicLinks.destinationId))
    .where(eq(publicLinks.uuid, uuid))
  if (!found) return undefined
  const { link, destination } = found
  const others = db.select({ id: linkDevices.deviceId }).from(linkDevices).where(eq(linkDevices.linkUuid, uuid))
  const { id, accountId, name, kind, type, icon, photo, subState, subEndDate, createdAt, graceFrom, address, positionAt } = devices
  const { pausedFrom, pausedUntil } = devices
  const trackers = await db
    .select({
      id,
      accountId,
      name,
      kind,
      type,
      icon,
      photo,
      subState,
      subEndDate,
      createdAt,
      graceFrom,
      pausedFrom,
      pausedUntil,
      address,
      positionAt,
    })
    .from(devices)
    .where(or(eq(devices.id, link.deviceId), inArray(devices.id, others)))
    .orderBy(asc(devices.name), asc(devices.id))
  return { link, destination, trackers: trackers.toSorted((a, b) => Number(b.id === link.deviceId) - Number(a.id === link.deviceId)) }
}
export type SharedLink = NonNullable<Awaited<ReturnType<typeof findSharedLink>>>
export type SharedDevice = SharedLink['trackers'][number]
