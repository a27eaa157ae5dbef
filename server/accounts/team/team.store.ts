import { and, asc, eq, inArray } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { nameOfContact, recordEndings } from '#db/endings.ts'
import { teamDevices, users } from '#db/schema/accounts.ts'
import { deviceKeys, devices } from '#db/schema/devices.ts'
import { networkKeys } from '#db/schema/networks.ts'
import { contacts } from '#db/schema/places.ts'
import { linkDevices, publicLinks } from '#db/schema/sharing.ts'

export type UserRow = typeof users.$inferSelect

export const listUsers = (db: DbReader, accountId: number) =>
  db.select().from(users).where(eq(users.accountId, accountId)).orderBy(asc(users.id))

export async function findMember(db: DbReader, { accountId, id }: { accountId: number; id: number }) {
  const [member] = await db
    .select()
    .from(users)
    .where(and(eq(users.id, id), eq(users.accountId, accountId)))
  return member
}

export async function listDeviceIds(db: DbReader, accountId: number) {
  const rows = await db.select({ id: devices.id }).from(devices).where(eq(devices.accountId, accountId)).orderBy(devices.id)
  return rows.map(({ id }) => id)
}

export const listAssignments = (db: DbReader, accountId: number) =>
  db
    .select({ userId: teamDevices.userId, deviceId: teamDevices.deviceId })
    .from(teamDevices)
    .innerJoin(devices, eq(devices.id, teamDevices.deviceId))
    .where(eq(devices.accountId, accountId))
    .orderBy(teamDevices.deviceId)

export async function insertMember(tx: Tx, member: typeof users.$inferInsert) {
  const [added] = await tx.insert(users).values(member).returning()
  return added!
}

export const updateMember = (tx: Tx, id: number, name: Partial<Pick<UserRow, 'firstName' | 'lastName'>>) =>
  tx.update(users).set(name).where(eq(users.id, id))

export async function replaceAssignments(tx: Tx, userId: number, deviceIds: number[]) {
  await tx.delete(teamDevices).where(eq(teamDevices.userId, userId))
  if (deviceIds.length > 0) await tx.insert(teamDevices).values(deviceIds.map((deviceId) => ({ userId, deviceId })))
}

export const listAssignmentsOf = async (db: DbReader, userId: number) =>
  (await db.select({ id: teamDevices.deviceId }).from(teamDevices).where(eq(teamDevices.userId, userId))).map(({ id }) => id)

type Named = { id: number; name: string }
export type MadeLink = { uuid: string; label: string; devices: Named[] }
export type MadeKey = { id: number; label: string; device: Named }

type MadeNetworkKey = { id: number; label: string }

type Made = {
  links: readonly MadeLink[]
  keys: readonly MadeKey[]
  contacts: readonly Named[]
  network_keys: readonly MadeNetworkKey[]
}

/** Links and phone keys made by a user, with their trackers, network keys, and the account's contacts with the user's address. */
export async function listMade(db: DbReader, { id: userId, accountId, email }: UserRow) {
  const device = { id: devices.id, name: devices.name }
  const { uuid, label } = publicLinks
  const isOfUser = eq(publicLinks.createdBy, userId)
  const first = db.select({ uuid, label, device }).from(publicLinks).innerJoin(devices, eq(devices.id, publicLinks.deviceId))
  const others = db
    .select({ uuid, label, device })
    .from(publicLinks)
    .innerJoin(linkDevices, eq(linkDevices.linkUuid, publicLinks.uuid))
    .innerJoin(devices, eq(devices.id, linkDevices.deviceId))
  const links = new Map<string, MadeLink>()
  for (const row of [
    ...(await first.where(isOfUser).orderBy(asc(publicLinks.createdAt))),
    ...(await others.where(isOfUser).orderBy(asc(devices.name), asc(devices.id))),
  ]) {
    const link = links.get(row.uuid) ?? { uuid: row.uuid, label: row.label, devices: [] }
    link.devices.push(row.device)
    links.set(row.uuid, link)
  }
  const keys = await db
    .select({ id: deviceKeys.id, label: deviceKeys.label, device })
    .from(deviceKeys)
    .innerJoin(devices, eq(devices.id, deviceKeys.deviceId))
    .where(eq(deviceKeys.createdBy, userId))
    .orderBy(asc(deviceKeys.id))
  const isTheirs = and(eq(contacts.accountId, accountId), eq(contacts.email, email))
  const theirs = await db.select({ id: contacts.id, name: contacts.name }).from(contacts).where(isTheirs)
  const ofNetworks = await db
    .select({ id: networkKeys.id, label: networkKeys.label })
    .from(networkKeys)
    .where(and(eq(networkKeys.accountId, accountId), eq(networkKeys.createdBy, userId)))
    .orderBy(asc(networkKeys.id))
  return { links: [...links.values()], keys, contacts: theirs, network_keys: ofNetworks } satisfies Made
}

export async function deleteMade(tx: Tx, { links, keys, contacts: theirs, network_keys: ofNetworks }: Made) {
  const contactIds = theirs.map(({ id }) => id)
  const uuids = links.map(({ uuid }) => uuid)
  const ids = keys.map(({ id }) => id)
  await recordEndings(tx, 'public_link', uuids)
  if (uuids.length > 0) await tx.delete(publicLinks).where(inArray(publicLinks.uuid, uuids))
  if (contactIds.length > 0) {
    const ended = await tx.delete(contacts).where(inArray(contacts.id, contactIds)).returning()
    await recordEndings(tx, 'contact', ended.map(nameOfContact))
  }
  for (const [table, kind, keyIds] of [
    [deviceKeys, 'device_key', ids],
    [networkKeys, 'network_key', ofNetworks.map(({ id }) => id)],
  ] as const) {
    if (keyIds.length === 0) continue
    const ended = await tx.delete(table).where(inArray(table.id, keyIds)).returning({ hash: table.hash })
    await recordEndings(
      tx,
      kind,
      ended.map(({ hash }) => hash),
    )
  }
}

/** User ids may be reused, so rows that outlive their maker must not refer to them. */
export async function forgetMaker(tx: Tx, userId: number) {
  for (const table of [publicLinks, deviceKeys, networkKeys])
    await tx.update(table).set({ createdBy: null }).where(eq(table.createdBy, userId))
}
