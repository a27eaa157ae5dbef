import { and, eq, gt, inArray, isNotNull, isNull, lte } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { users } from '#db/schema/accounts.ts'
import { deviceKeys, devices } from '#db/schema/devices.ts'
import { passkeys } from '#db/schema/factors.ts'
import { channelDeliveries, pushes } from '#db/schema/messages.ts'
import { networkKeys } from '#db/schema/networks.ts'
import { alertSilences, contacts, heldAlerts } from '#db/schema/places.ts'
import { apiTokens, type EndingKind, endings } from '#db/schema/security.ts'
import { publicLinks } from '#db/schema/sharing.ts'

export type Ending = { kind: EndingKind; hash: string }

export const listEndings = (db: DbReader, afterId: number) => db.select().from(endings).where(gt(endings.id, afterId)).orderBy(endings.id)

/** Below the number of parameters that a database accepts in one statement. */
const ROWS_AT_ONCE = 500

export async function insertEndings(tx: Tx, added: readonly Ending[]) {
  for (let from = 0; from < added.length; from += ROWS_AT_ONCE)
    await tx
      .insert(endings)
      .values(added.slice(from, from + ROWS_AT_ONCE).map(({ kind, hash }) => ({ kind, hash })))
      .onConflictDoNothing()
}

export const listAllUsers = (db: DbReader) => db.select().from(users)

export const listAllTrackers = (db: DbReader) =>
  db.select({ id: devices.id, accountId: devices.accountId, createdAt: devices.createdAt }).from(devices)

export const listTrackers = (db: DbReader, ids: number[]) => db.select().from(devices).where(inArray(devices.id, ids))

/** Removes a user's password: a new one is set by a mailed link. */
export const removePassword = (tx: Tx, id: number) => tx.update(users).set({ passwordHash: null }).where(eq(users.id, id))

type Removable = {
  /** The names of all rows, and how the row of a name is removed. */
  list(db: DbReader): PromiseLike<{ name: string }[]>
  remove(tx: Tx, name: string): PromiseLike<unknown>
}

/** Things that are ended by deleting their row, found by a unique column. */
export const REMOVABLE = {
  passkey: {
    list: (db) => db.select({ name: passkeys.credentialId }).from(passkeys),
    remove: (tx, name) => tx.delete(passkeys).where(eq(passkeys.credentialId, name)),
  },
  api_token: {
    list: (db) => db.select({ name: apiTokens.hash }).from(apiTokens),
    remove: (tx, name) => tx.delete(apiTokens).where(eq(apiTokens.hash, name)),
  },
  public_link: {
    list: (db) => db.select({ name: publicLinks.uuid }).from(publicLinks),
    remove: (tx, name) => tx.delete(publicLinks).where(eq(publicLinks.uuid, name)),
  },
  device_key: {
    list: (db) => db.select({ name: deviceKeys.hash }).from(deviceKeys),
    remove: (tx, name) => tx.delete(deviceKeys).where(eq(deviceKeys.hash, name)),
  },
  network_key: {
    list: (db) => db.select({ name: networkKeys.hash }).from(networkKeys),
    remove: (tx, name) => tx.delete(networkKeys).where(eq(networkKeys.hash, name)),
  },
} as const satisfies Partial<Record<EndingKind, Removable>>

export const listAllContacts = (db: DbReader) => db.select().from(contacts)

export const deleteContact = (tx: Tx, id: number) => tx.delete(contacts).where(eq(contacts.id, id))

export async function deletePushes(tx: Tx) {
  return (await tx.delete(pushes).returning({ id: pushes.id })).length
}

/** Gives up what waits for webhooks, Telegram and ntfy, because the lost server may have sent it. */
export async function endDeliveries(tx: Tx, endedAt: Date) {
  return (
    await tx.update(channelDeliveries).set({ endedAt }).where(isNull(channelDeliveries.endedAt)).returning({ id: channelDeliveries.id })
  ).length
}

/** Deletes alerts whose quiet hours ended before an instant: the lost server has mailed them. */
export async function deleteSilences(tx: Tx) {
  return (await tx.delete(alertSilences).returning({ id: alertSilences.id })).length
}

export async function deleteHeldAlerts(tx: Tx, until: Date) {
  return (
    await tx
      .delete(heldAlerts)
      .where(and(isNull(heldAlerts.endedAt), lte(heldAlerts.until, until)))
      .returning({ id: heldAlerts.id })
  ).length
}

export async function removeAllPasswords(tx: Tx) {
  return (await tx.update(users).set({ passwordHash: null }).where(isNotNull(users.passwordHash)).returning({ id: users.id })).length
}
