import { and, asc, eq, lte, ne } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { devices } from '#db/schema/devices.ts'
import { downlinks, networkServers } from '#db/schema/networks.ts'

export type DownlinkRow = typeof downlinks.$inferSelect
export type ServerRow = typeof networkServers.$inferSelect

export async function findDownlink(db: DbReader, deviceId: number): Promise<DownlinkRow | undefined> {
  const [row] = await db.select().from(downlinks).where(eq(downlinks.deviceId, deviceId))
  return row
}

/** Saves how a tracker is reached. A mode on its way stays with the network it was given to. */
export async function saveDownlinkRoute(tx: Tx, route: Pick<DownlinkRow, 'deviceId' | 'network' | 'url' | 'token'>) {
  const { network, url, token } = route
  await tx.insert(downlinks).values(route).onConflictDoUpdate({ target: downlinks.deviceId, set: { network, url, token } })
  await tx.update(devices).set({ takesDownlinks: true }).where(eq(devices.id, route.deviceId))
}

export async function removeDownlinkRoute(tx: Tx, deviceId: number) {
  await tx.delete(downlinks).where(eq(downlinks.deviceId, deviceId))
  await tx.update(devices).set({ takesDownlinks: false }).where(eq(devices.id, deviceId))
}

type DownlinkChange = Partial<Pick<DownlinkRow, 'mode' | 'messageId' | 'sendingUntil'>>

export const updateDownlink = (tx: Tx, deviceId: number, change: DownlinkChange) =>
  tx.update(downlinks).set(change).where(eq(downlinks.deviceId, deviceId))

/** Changes the stored state of a message, unless another message has replaced it. */
export const updateMessage = (tx: Tx, deviceId: number, messageId: string, change: DownlinkChange) =>
  tx
    .update(downlinks)
    .set(change)
    .where(and(eq(downlinks.deviceId, deviceId), eq(downlinks.messageId, messageId)))

/** Trackers whose mode was being passed on when a server was killed. */
export const listInterrupted = (db: DbReader, now: Date, limit: number) =>
  db
    .select({ deviceId: downlinks.deviceId })
    .from(downlinks)
    .where(lte(downlinks.sendingUntil, now))
    .orderBy(asc(downlinks.sendingUntil))
    .limit(limit)

export async function findNetworkServer(db: DbReader, accountId: number): Promise<ServerRow | undefined> {
  const [row] = await db.select().from(networkServers).where(eq(networkServers.accountId, accountId))
  return row
}

export const saveNetworkServer = (tx: Tx, { accountId, url, token }: ServerRow) =>
  tx.insert(networkServers).values({ accountId, url, token }).onConflictDoUpdate({ target: networkServers.accountId, set: { url, token } })

export const removeNetworkServer = (tx: Tx, accountId: number) => tx.delete(networkServers).where(eq(networkServers.accountId, accountId))

/** Removes an account's downlink routes through its server; returns their trackers. */
export async function removeRoutesOfServer(tx: Tx, accountId: number) {
  const ofServer = and(eq(devices.accountId, accountId), ne(downlinks.network, 'tts'))
  const found = await tx
    .select({ id: devices.id, accountId: devices.accountId })
    .from(downlinks)
    .innerJoin(devices, eq(devices.id, downlinks.deviceId))
    .where(ofServer)
  for (const { id } of found) await removeDownlinkRoute(tx, id)
  return found
}

export async function findDeviceById(db: DbReader, id: number) {
  const [device] = await db.select().from(devices).where(eq(devices.id, id))
  return device
}
