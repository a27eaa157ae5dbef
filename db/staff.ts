import { and, eq, gt, isNull } from 'drizzle-orm'
import type { StaffRole } from '#contracts/lib/staff-rights.ts'
import { HOUR_MS } from '#contracts/rules/time.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { staff, staffKeys, staffSessions } from '#db/schema/staff.ts'

/** A session of the console ends after this time without use. */
const STAFF_IDLE_HOURS = 1

/** A member of staff or another system of the company, as a request proves it. */
export type StaffCaller = { kind: 'staff' | 'key'; id: number; name: string; role: StaffRole; lastSeenAt: Date }

/** Finds the member of staff of a session by the hash of its token, unless it has ended. */
export async function findStaffOfSession(db: DbReader, hash: string, now: Date): Promise<StaffCaller | undefined> {
  const idleSince = new Date(now.getTime() - STAFF_IDLE_HOURS * HOUR_MS)
  const [row] = await db
    .select({ id: staff.id, name: staff.name, role: staff.role, lastSeenAt: staffSessions.lastSeenAt })
    .from(staffSessions)
    .innerJoin(staff, eq(staff.id, staffSessions.staffId))
    .where(
      and(eq(staffSessions.hash, hash), gt(staffSessions.expiresAt, now), gt(staffSessions.lastSeenAt, idleSince), isNull(staff.removedAt)),
    )
  return row && { kind: 'staff', ...row }
}

/** Finds the other system of the company by the hash of its key, unless the key has ended. */
export async function findStaffKey(db: DbReader, hash: string): Promise<StaffCaller | undefined> {
  const [row] = await db
    .select({ id: staffKeys.id, name: staffKeys.label, role: staffKeys.role, lastUsedAt: staffKeys.lastUsedAt })
    .from(staffKeys)
    .where(and(eq(staffKeys.hash, hash), isNull(staffKeys.endedAt)))
  return row && { kind: 'key', id: row.id, name: row.name, role: row.role, lastSeenAt: row.lastUsedAt ?? new Date(0) }
}

export const markStaffSeen = (tx: Tx, hash: string, now: Date) =>
  tx.update(staffSessions).set({ lastSeenAt: now }).where(eq(staffSessions.hash, hash))

export const markStaffKeyUsed = (tx: Tx, hash: string, now: Date) =>
  tx.update(staffKeys).set({ lastUsedAt: now }).where(eq(staffKeys.hash, hash))
