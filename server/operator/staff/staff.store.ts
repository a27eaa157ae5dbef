import { and, asc, desc, eq, gt, isNull, max, sql } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { nameOfRow, recordEndings } from '#db/endings.ts'
import { staff, staffKeys, staffRecoveryCodes, staffSessions } from '#db/schema/staff.ts'

export type StaffRow = typeof staff.$inferSelect
export type StaffSessionRow = typeof staffSessions.$inferSelect
export type StaffKeyRow = typeof staffKeys.$inferSelect

const isMember = isNull(staff.removedAt)

/** The members of staff by name, with the last use of their sessions. */
export const listStaff = (db: DbReader): Promise<{ member: StaffRow; lastSeenAt: Date | null }[]> =>
  db
    .select({ member: staff, lastSeenAt: sql<Date | null>`${max(staffSessions.lastSeenAt)}`.mapWith(staffSessions.lastSeenAt) })
    .from(staff)
    .leftJoin(staffSessions, eq(staffSessions.staffId, staff.id))
    .where(isMember)
    .groupBy(staff.id)
    .orderBy(asc(staff.name), asc(staff.id))

export async function findMember(db: DbReader, id: number): Promise<StaffRow | undefined> {
  const [row] = await db
    .select()
    .from(staff)
    .where(and(eq(staff.id, id), isMember))
  return row
}

/** Also a removed one, whose address is free for a new invitation. */
export async function findByEmail(db: DbReader, email: string): Promise<StaffRow | undefined> {
  const [row] = await db.select().from(staff).where(eq(staff.email, email))
  return row
}

export async function findInvited(db: DbReader, invitationHash: string, now: Date): Promise<StaffRow | undefined> {
  const [row] = await db
    .select()
    .from(staff)
    .where(and(eq(staff.invitationHash, invitationHash), gt(staff.invitationEndsAt, now), isMember))
  return row
}

/** Inserts an invited member, or invites one again whose address is known. */
export async function saveInvited(tx: Tx, row: typeof staff.$inferInsert): Promise<StaffRow> {
  const { email: _, ...again } = row
  const [saved] = await tx
    .insert(staff)
    .values(row)
    .onConflictDoUpdate({ target: staff.email, set: { ...again, passwordHash: null, totpSecret: null, removedAt: null } })
    .returning()
  return saved!
}

export async function updateMember(tx: Tx, id: number, change: Partial<StaffRow>): Promise<StaffRow> {
  const [row] = await tx.update(staff).set(change).where(eq(staff.id, id)).returning()
  return row!
}

/** Removes a member and their secrets; the name stays. */
export async function markRemoved(tx: Tx, member: StaffRow, removedAt: Date) {
  await updateMember(tx, member.id, { removedAt, passwordHash: null, totpSecret: null, invitationHash: null, invitationEndsAt: null })
  await endSessionsOf(tx, member.id)
  await recordEndings(tx, 'staff_member', [nameOfRow(member)])
}

/** Marks the half minute of a code as used; false if it was used before. */
export async function claimTotpStep(tx: Tx, { id, totpStep }: Pick<StaffRow, 'id' | 'totpStep'>, step: number) {
  if (totpStep !== null && step <= totpStep) return false
  const isUnused = sql`coalesce(${staff.totpStep}, 0) < ${step}`
  const rows = await tx
    .update(staff)
    .set({ totpStep: step })
    .where(and(eq(staff.id, id), isUnused))
    .returning({ id: staff.id })
  return rows.length > 0
}

export async function claimRecoveryCode(tx: Tx, staffId: number, hash: string) {
  const rows = await tx
    .delete(staffRecoveryCodes)
    .where(and(eq(staffRecoveryCodes.staffId, staffId), eq(staffRecoveryCodes.hash, hash)))
    .returning({ hash: staffRecoveryCodes.hash })
  return rows.length > 0
}

export async function replaceRecoveryCodes(tx: Tx, staffId: number, hashes: readonly string[]) {
  await tx.delete(staffRecoveryCodes).where(eq(staffRecoveryCodes.staffId, staffId))
  await tx.insert(staffRecoveryCodes).values(hashes.map((hash) => ({ hash, staffId })))
}

/** Members with the role `admin` who have accepted their invitation. */
export const countAdministrators = (db: DbReader) => db.$count(staff, and(eq(staff.role, 'admin'), isMember, isNull(staff.invitationHash)))

export const insertSession = (tx: Tx, row: StaffSessionRow) => tx.insert(staffSessions).values(row)
export const endSession = (tx: Tx, hash: string) => tx.delete(staffSessions).where(eq(staffSessions.hash, hash))
export const endSessionsOf = (tx: Tx, staffId: number) => tx.delete(staffSessions).where(eq(staffSessions.staffId, staffId))

/** Ends the sessions of all members, and returns their number. */
export async function endAllStaffSessions(tx: Tx) {
  return (await tx.delete(staffSessions).returning({ hash: staffSessions.hash })).length
}

export const listStaffKeys = (db: DbReader): Promise<StaffKeyRow[]> =>
  db.select().from(staffKeys).where(isNull(staffKeys.endedAt)).orderBy(desc(staffKeys.id))

export async function insertStaffKey(tx: Tx, row: typeof staffKeys.$inferInsert): Promise<StaffKeyRow> {
  const [added] = await tx.insert(staffKeys).values(row).returning()
  return added!
}

/** Returns the ended key; undefined when there is none, or it has ended before. */
export async function endStaffKey(tx: Tx, id: number, endedAt: Date): Promise<StaffKeyRow | undefined> {
  const [ended] = await tx
    .update(staffKeys)
    .set({ endedAt })
    .where(and(eq(staffKeys.id, id), isNull(staffKeys.endedAt)))
    .returning()
  if (ended) await recordEndings(tx, 'staff_key', [ended.hash])
  return ended
}

/** The session with its member. */
export async function findSession(db: DbReader, hash: string): Promise<{ session: StaffSessionRow; member: StaffRow } | undefined> {
  const [row] = await db
    .select({ session: staffSessions, member: staff })
    .from(staffSessions)
    .innerJoin(staff, eq(staff.id, staffSessions.staffId))
    .where(eq(staffSessions.hash, hash))
  return row
}
