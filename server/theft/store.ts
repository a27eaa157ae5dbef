import { and, desc, eq, sql } from 'drizzle-orm'
import type { Reader } from '#db/open.ts'
import { users } from '#db/tables/accounts.ts'
import { theftReports } from '#db/tables/sharing.ts'

export type ReportRow = typeof theftReports.$inferSelect

/** The person who owns an account's trackers: of a team, its administrator. */
export async function ownerOf(db: Reader, accountId: number) {
  const [owner] = await db
    .select({ firstName: users.firstName, lastName: users.lastName, email: users.email })
    .from(users)
    .where(eq(users.accountId, accountId))
    .orderBy(sql`${users.role} = 'pro'`, users.id)
    .limit(1)
  return owner!
}
export type Owner = Awaited<ReturnType<typeof ownerOf>>

export async function languageOf(db: Reader, userId: number) {
  const [reader] = await db.select({ language: users.language }).from(users).where(eq(users.id, userId))
  return reader!.language
}

export async function openReport(db: Reader, deviceId: number): Promise<ReportRow | undefined> {
  const [report] = await db
    .select()
    .from(theftReports)
    .where(and(eq(theftReports.deviceId, deviceId), eq(theftReports.status, 'open')))
    .orderBy(desc(theftReports.id))
    .limit(1)
  return report
}
