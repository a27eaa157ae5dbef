import { and, desc, eq, getTableColumns, or } from 'drizzle-orm'
import type { NetworkNumbers, UplinkMapping } from '#contracts/networks.ts'
import { NUMBER_KINDS, type NumberKind } from '#contracts/rules/reading/network-number.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { recordEndings } from '#db/endings.ts'
import { isMaker, type Maker, makerColumns } from '#db/people.ts'
import { users } from '#db/schema/accounts.ts'
import { devices } from '#db/schema/devices.ts'
import { networkKeys, networkNumbers, uplinkMappings, uplinks } from '#db/schema/networks.ts'
import type { DeviceRow, Viewer } from '#db/scope.ts'
import type { SenderNumber, StoredUplink } from '#server/tracking/networks/formats/uplink.ts'

/** The trackers that a key may report for: one, those of an account, or all. */
export type NetworkKeyScope = { deviceId: number } | { accountId: number } | 'gateway'

const inKeyScope = (keyScope: NetworkKeyScope) => {
  if (keyScope === 'gateway') return undefined
  return 'deviceId' in keyScope ? eq(devices.id, keyScope.deviceId) : eq(devices.accountId, keyScope.accountId)
}

const isNumberKind = (kind: SenderNumber['kind']): kind is NumberKind => NUMBER_KINDS.some((known) => known === kind)

/**
 * Finds the tracker with the first of the numbers that any has, among those the key may report for. Owners enter network numbers without
 * proof, so a gateway, which reports for every account, finds trackers by identifier and S/N only.
 */
export async function findNetworkTracker(db: DbReader, keyScope: NetworkKeyScope, numbers: readonly SenderNumber[]) {
  for (const { kind, value } of numbers) {
    if (keyScope === 'gateway' && isNumberKind(kind)) continue
    const [tracker] = isNumberKind(kind)
      ? await db
          .select({ id: devices.id, type: devices.type })
          .from(networkNumbers)
          .innerJoin(devices, eq(devices.id, networkNumbers.deviceId))
          .where(and(eq(networkNumbers.kind, kind), eq(networkNumbers.value, value), inKeyScope(keyScope)))
      : await db
          .select({ id: devices.id, type: devices.type })
          .from(devices)
          .where(and(eq(kind === 'identifier' ? devices.identifier : devices.serial, value), inKeyScope(keyScope)))
    if (tracker) return tracker
  }
  return undefined
}

export async function findNetworkNumbers(db: DbReader, deviceId: number): Promise<NetworkNumbers> {
  const rows = await db.select().from(networkNumbers).where(eq(networkNumbers.deviceId, deviceId))
  const findValue = (kind: NumberKind) => rows.find((row) => row.kind === kind)?.value ?? null
  return { imei: findValue('imei'), dev_eui: findValue('dev_eui'), sigfox: findValue('sigfox') }
}

/** Kinds whose number another tracker has. */
export async function listTakenKinds(tx: Tx, deviceId: number, numbers: NetworkNumbers): Promise<NumberKind[]> {
  const wanted = NUMBER_KINDS.flatMap((kind) => (numbers[kind] === null ? [] : [{ kind, value: numbers[kind] }]))
  if (wanted.length === 0) return []
  const rows = await tx
    .select()
    .from(networkNumbers)
    .where(or(...wanted.map(({ kind, value }) => and(eq(networkNumbers.kind, kind), eq(networkNumbers.value, value)))))
  return rows.filter((row) => row.deviceId !== deviceId).map(({ kind }) => kind)
}

export async function saveNetworkNumbers(tx: Tx, deviceId: number, numbers: NetworkNumbers) {
  await tx.delete(networkNumbers).where(eq(networkNumbers.deviceId, deviceId))
  const rows = NUMBER_KINDS.flatMap((kind) => (numbers[kind] === null ? [] : [{ kind, value: numbers[kind], deviceId }]))
  if (rows.length > 0) await tx.insert(networkNumbers).values(rows)
}

const { hash: _, accountId: __, ...shown } = getTableColumns(networkKeys)
export type NetworkKeyRow = Omit<typeof networkKeys.$inferSelect, 'hash' | 'accountId'>

export const listNetworkKeys = (db: DbReader, viewer: Viewer): Promise<{ key: NetworkKeyRow; maker: Maker | null }[]> =>
  db
    .select({ key: shown, maker: makerColumns })
    .from(networkKeys)
    .leftJoin(users, isMaker(networkKeys.createdBy, viewer))
    .where(eq(networkKeys.accountId, viewer.accountId))
    .orderBy(desc(networkKeys.id))

export async function insertNetworkKey(tx: Tx, key: typeof networkKeys.$inferInsert, most: number) {
  if ((await tx.$count(networkKeys, eq(networkKeys.accountId, key.accountId))) >= most) return undefined
  const [added] = await tx.insert(networkKeys).values(key).returning(shown)
  return added
}

export async function removeNetworkKey(tx: Tx, accountId: number, id: number) {
  const removed = await tx
    .delete(networkKeys)
    .where(and(eq(networkKeys.id, id), eq(networkKeys.accountId, accountId)))
    .returning({ hash: networkKeys.hash })
  await recordEndings(
    tx,
    'network_key',
    removed.map(({ hash }) => hash),
  )
  return removed.length === 1
}

export async function findNetworkKey(db: DbReader, hash: string) {
  const [key] = await db.select().from(networkKeys).where(eq(networkKeys.hash, hash))
  return key
}

export const markNetworkKeyUsed = (tx: Tx, id: number, lastUsedAt: Date) =>
  tx.update(networkKeys).set({ lastUsedAt }).where(eq(networkKeys.id, id))

export const hasUplink = async (db: DbReader, deviceId: number, uplinkId: string) =>
  (await db.$count(uplinks, and(eq(uplinks.deviceId, deviceId), eq(uplinks.uplinkId, uplinkId)))) > 0

export const insertUplink = (tx: Tx, row: typeof uplinks.$inferInsert) => tx.insert(uplinks).values(row).onConflictDoNothing()

/** The newest uplinks of a tracker, oldest first. */
export async function listUplinks(db: DbReader, deviceId: number, most: number): Promise<StoredUplink[]> {
  const rows = await db
    .select({ body: uplinks.body })
    .from(uplinks)
    .where(eq(uplinks.deviceId, deviceId))
    .orderBy(desc(uplinks.id))
    .limit(most)
  return rows.reverse().map(({ body }) => JSON.parse(body) as StoredUplink)
}

export const countUplinks = (db: DbReader, deviceId: number) => db.$count(uplinks, eq(uplinks.deviceId, deviceId))

export async function findMapping(db: DbReader, deviceId: number): Promise<UplinkMapping | undefined> {
  const { latitude, longitude, battery } = uplinkMappings
  const [mapping] = await db.select({ latitude, longitude, battery }).from(uplinkMappings).where(eq(uplinkMappings.deviceId, deviceId))
  return mapping
}

export const saveMapping = (tx: Tx, deviceId: number, mapping: UplinkMapping) =>
  tx
    .insert(uplinkMappings)
    .values({ deviceId, ...mapping })
    .onConflictDoUpdate({ target: uplinkMappings.deviceId, set: mapping })

/** Restores the mode that still waits for the tracker's next message. */
export const restorePendingMode = (tx: Tx, { id, pendingMode }: DeviceRow) =>
  tx.update(devices).set({ pendingMode }).where(eq(devices.id, id))
