import { and, asc, desc, eq, exists, gt, inArray, or, sql } from 'drizzle-orm'
import type { RequestStatus } from '#contracts/operator/requests.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { users } from '#db/schema/accounts.ts'
import { devices, stockItems } from '#db/schema/devices.ts'
import { theftReports, unlinkRequests } from '#db/schema/sharing.ts'
import type { DeviceRow } from '#db/scope.ts'

export type RequestRow = typeof unlinkRequests.$inferSelect
type Person = Pick<typeof users.$inferSelect, 'id' | 'accountId' | 'email' | 'firstName' | 'lastName' | 'language' | 'timeZone'>
export type FullRequest = {
  request: RequestRow
  requester: Person | null
  device: DeviceRow | null
  inStock: boolean
  isStolen: boolean
}

const { id, accountId, email, firstName, lastName, language, timeZone } = users
const person = { id, accountId, email, firstName, lastName, language, timeZone }

const selectRequests = (db: DbReader) =>
  db
    .select({
      request: unlinkRequests,
      requester: person,
      device: devices,
      inStock: sql<boolean>`${exists(
        db.select({ one: sql`1` }).from(stockItems).where(eq(stockItems.identifier, unlinkRequests.identifier)),
      )}`.mapWith(Boolean),
      isStolen: sql<boolean>`${exists(
        db
          .select({ one: sql`1` })
          .from(theftReports)
          .where(and(eq(theftReports.deviceId, devices.id), eq(theftReports.status, 'open'))),
      )}`.mapWith(Boolean),
    })
    .from(unlinkRequests)
    .leftJoin(users, eq(users.id, unlinkRequests.userId))
    .leftJoin(devices, eq(devices.identifier, unlinkRequests.identifier))

type Filter = { status?: RequestStatus | undefined; after?: number }

/** Oldest first. */
export const listRequests = (db: DbReader, { status, after }: Filter, limit: number): Promise<FullRequest[]> =>
  selectRequests(db)
    .where(and(status && eq(unlinkRequests.status, status), after === undefined ? undefined : gt(unlinkRequests.id, after)))
    .orderBy(asc(unlinkRequests.id))
    .limit(limit)

type Concerned = { userIds: number[]; identifiers: string[]; limit: number }

/** The requests that users have made, and those about identifiers, the newest first. */
export const listRequestsOf = (db: DbReader, { userIds, identifiers, limit }: Concerned): Promise<FullRequest[]> =>
  selectRequests(db)
    .where(or(inArray(unlinkRequests.userId, userIds), inArray(unlinkRequests.identifier, identifiers)))
    .orderBy(desc(unlinkRequests.id))
    .limit(limit)

export async function findRequest(db: DbReader, requestId: number): Promise<FullRequest | undefined> {
  const [row] = await selectRequests(db).where(eq(unlinkRequests.id, requestId))
  return row
}

type Decision = Pick<RequestRow, 'status' | 'decidedAt' | 'decidedBy' | 'refusal'>

export const decideRequest = (tx: Tx, requestId: number, decision: Decision) =>
  tx.update(unlinkRequests).set(decision).where(eq(unlinkRequests.id, requestId))
