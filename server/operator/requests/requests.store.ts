import { and, desc, eq, exists, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { RequestSort, RequestStatus } from '#contracts/operator/requests.ts'
import { normalizeCode } from '#contracts/rules/reading/text.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { users } from '#db/schema/accounts.ts'
import { devices, stockItems } from '#db/schema/devices.ts'
import { theftReports, unlinkRequests } from '#db/schema/sharing.ts'
import type { DeviceRow } from '#db/scope.ts'
import type { PageEnd } from '#server/lib/pages/page-end.ts'
import { sortPage } from '#server/lib/pages/sorted-page.store.ts'
import { beginsWith, findAccounts, hasOneOf } from '#server/operator/search/search.store.ts'

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

export type RequestFilter = {
  status?: RequestStatus | undefined
  search?: string | undefined
  sort?: RequestSort | undefined
  after?: PageEnd | undefined
}

export async function listRequests(db: DbReader, { search, ...filter }: RequestFilter, limit: number): Promise<FullRequest[]> {
  return selectRequestPage(db, filter, limit, search ? await findMatches(db, search) : undefined)
}

const SORTED = { date: { value: unlinkRequests.id, isNumber: true, isUnique: true } } as const

/** The query of a page, by default the oldest first. */
export function selectRequestPage(
  db: DbReader,
  { status, sort = 'date', after }: Omit<RequestFilter, 'search'>,
  limit: number,
  match?: SQL,
) {
  const { orderBy, begin } = sortPage({ columns: SORTED, key: unlinkRequests.id, isNumberKey: true, sort, after })
  return selectRequests(db)
    .where(and(status && eq(unlinkRequests.status, status), match, begin))
    .orderBy(...orderBy)
    .limit(limit)
}

/** The number of a request, the beginning of the identifier that it is about, or the account that makes it. */
async function findMatches(db: DbReader, text: string) {
  const [, prefix, digits] = /^(UR)?(\d{1,15})$/.exec(normalizeCode(text).toUpperCase()) ?? []
  const isNumbered = digits === undefined ? undefined : eq(unlinkRequests.id, Number(digits))
  if (prefix) return isNumbered
  const isAbout = digits === undefined ? undefined : beginsWith(unlinkRequests.identifier, digits)
  const people = db
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.accountId, await findAccounts(db, text)))
  return or(isNumbered, isAbout, inArray(unlinkRequests.userId, people))
}

type Concerned = { userIds: number[]; identifiers: string[]; limit: number }

/** The requests that users have made, and those about identifiers, the newest first. */
export const listRequestsOf = (db: DbReader, { userIds, identifiers, limit }: Concerned): Promise<FullRequest[]> =>
  selectRequests(db)
    .where(hasOneOf([unlinkRequests.userId, userIds], [unlinkRequests.identifier, identifiers]))
    .orderBy(desc(unlinkRequests.id))
    .limit(limit)

export async function findRequest(db: DbReader, requestId: number): Promise<FullRequest | undefined> {
  const [row] = await selectRequests(db).where(eq(unlinkRequests.id, requestId))
  return row
}

type Decision = Pick<RequestRow, 'status' | 'decidedAt' | 'decidedBy' | 'refusal'>

export const decideRequest = (tx: Tx, requestId: number, decision: Decision) =>
  tx.update(unlinkRequests).set(decision).where(eq(unlinkRequests.id, requestId))
