import { desc, eq } from 'drizzle-orm'
import type { DbReader, Tx } from '#db/db.ts'
import { theftReports } from '#db/schema/sharing.ts'

export type ReportRow = typeof theftReports.$inferSelect

/** The newest report, open or closed. */
export async function findNewestReport(db: DbReader, deviceId: number): Promise<ReportRow | undefined> {
  const ofDevice = eq(theftReports.deviceId, deviceId)
  const [report] = await db.select().from(theftReports).where(ofDevice).orderBy(desc(theftReports.id)).limit(1)
  return report
}

/** At most one report per tracker is open, and it is the newest. */
export async function findOpenReport(db: DbReader, deviceId: number): Promise<ReportRow | undefined> {
  const newest = await findNewestReport(db, deviceId)
  return newest?.status === 'open' ? newest : undefined
}

export async function insertReport(tx: Tx, report: Omit<ReportRow, 'id'>): Promise<ReportRow> {
  const [added] = await tx.insert(theftReports).values(report).returning()
  return added!
}

export async function updateReport(tx: Tx, id: number, change: Partial<Omit<ReportRow, 'id'>>): Promise<ReportRow> {
  const [changed] = await tx.update(theftReports).set(change).where(eq(theftReports.id, id)).returning()
  return changed!
}
