import { and, asc, eq } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { teamDevices, users } from '#db/schema/accounts.ts'
import { devices } from '#db/schema/devices.ts'

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
