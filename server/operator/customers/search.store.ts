import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { CustomerSort, FoundBy } from '#contracts/operator/customers.ts'
import { formatIdentifier, formatReference, normalizeCode } from '#contracts/rules/reading/text.ts'
import type { DbReader } from '#db/db.ts'
import { accounts, users } from '#db/schema/accounts.ts'
import { invoices, orders } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import { unlinkRequests } from '#db/schema/sharing.ts'
import type { PageEnd } from '#server/lib/pages/page-end.ts'
import { sortPage } from '#server/lib/pages/sorted-page.store.ts'

/** An account that a search has found, and the stored text that matched. */
export type Found = { accountId: number; by: FoundBy; value: string }
type Match = { accountId: number; value: string }

/** Sorts after every text with the same beginning, on both engines. */
const LAST = '\u{10ffff}'

/** A range, which both engines look up in the index of the column or expression. */
const beginsWith = (text: typeof users.email | typeof devices.identifier | SQL, head: string) =>
  sql`${text} >= ${head} and ${text} < ${head + LAST}`

/** Lower case as both engines have it in the index of names: only A to Z change. */
const lowerLatin = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** The spellings under which the index may have a name: as typed, in lower case, and with capitals at the beginning of each word. */
const listNameSpellings = (text: string) => {
  const lower = text.toLowerCase()
  const capitals = lower.replace(/(^|[\s'’-])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
  return [...new Set([text, lower, capitals].map(lowerLatin))]
}

const [lowerFirst, lowerLast] = [sql`lower(${users.firstName})`, sql`lower(${users.lastName})`]

const selectNames = (db: DbReader, which: SQL | undefined, limit: number) =>
  db
    .select({ accountId: users.accountId, value: sql<string>`${users.firstName} || ' ' || ${users.lastName}` })
    .from(users)
    .where(which)
    .limit(limit)

/** One query for each way to divide the text into first and last name, in either order. */
function queryNames(db: DbReader, text: string, limit: number) {
  const words = text.split(/\s+/)
  const whole = listNameSpellings(words.join(' '))
  const divided = words
    .slice(1)
    .map((_, at) => [words.slice(0, at + 1), words.slice(at + 1)].map((part) => listNameSpellings(part.join(' '))))
  return [
    ...whole.flatMap((spelling) => [beginsWith(lowerLast, spelling), beginsWith(lowerFirst, spelling)]),
    ...divided.flatMap(([head = [], tail = []]) =>
      tail.flatMap((end) => [
        and(inArray(lowerFirst, head), beginsWith(lowerLast, end)),
        and(inArray(lowerLast, head), beginsWith(lowerFirst, end)),
      ]),
    ),
  ].map((which) => selectNames(db, which, limit))
}

const queryEmails = (db: DbReader, text: string, limit: number) =>
  db
    .select({ accountId: users.accountId, value: users.email })
    .from(users)
    .where(beginsWith(users.email, text.toLowerCase()))
    .orderBy(asc(users.email))
    .limit(limit)

const queryIdentifiers = (db: DbReader, digits: string, limit: number) =>
  db
    .select({ accountId: devices.accountId, value: sql<string>`${devices.identifier}`.mapWith(formatIdentifier) })
    .from(devices)
    .where(beginsWith(devices.identifier, digits))
    .orderBy(asc(devices.identifier))
    .limit(limit)

const querySerial = (db: DbReader, serial: string) =>
  db
    .select({ accountId: devices.accountId, value: sql<string>`coalesce(${devices.identifier}, ${devices.name})` })
    .from(devices)
    .where(eq(devices.serial, serial))

const queryInvoice = (db: DbReader, number: string) =>
  db.select({ accountId: invoices.accountId, value: invoices.number }).from(invoices).where(eq(invoices.number, number))

const queryOrder = (db: DbReader, reference: string) =>
  db.select({ accountId: orders.accountId, value: orders.reference }).from(orders).where(eq(orders.reference, reference))

const queryAccount = (db: DbReader, id: number) =>
  db
    .select({ accountId: accounts.id, value: sql<string>`'C-' || ${accounts.id}` })
    .from(accounts)
    .where(eq(accounts.id, id))

const queryRequest = (db: DbReader, id: number) =>
  db
    .select({
      accountId: users.accountId,
      value: sql<string>`${unlinkRequests.identifier}`.mapWith((number: string) =>
        number === '' ? formatReference(id) : formatIdentifier(number),
      ),
    })
    .from(unlinkRequests)
    .innerJoin(users, eq(users.id, unlinkRequests.userId))
    .where(eq(unlinkRequests.id, id))

type Query = PromiseLike<Match[]> & { toSQL(): { sql: string; params: unknown[] } }

/** A shorter beginning of an identifier would find too many. */
const MIN_DIGITS = 4
const SERIAL_LENGTH = 12
const MAX_DIGITS = 15

/**
 * The queries for what a text may mean, the most exact first. Each reads one range of an index, so that a search takes the same time with a
 * million customers.
 */
export function listQueries(db: DbReader, text: string, limit: number): { by: FoundBy; query: Query }[] {
  const code = normalizeCode(text).toUpperCase()
  const [, prefix = '', digits = ''] = /^(C|UR|INV|ORD)?(\d+)$/.exec(code) ?? []
  const isNumber = (...prefixes: string[]) => digits !== '' && digits.length <= MAX_DIGITS && ['', ...prefixes].includes(prefix)
  const queries: { by: FoundBy; query: Query }[] = []
  const add = (by: FoundBy, query: Query) => queries.push({ by, query })
  if (isNumber('C')) add('account', queryAccount(db, Number(digits)))
  if (isNumber('INV')) add('invoice', queryInvoice(db, `INV-${digits}`))
  if (isNumber('ORD')) add('order', queryOrder(db, `ORD-${digits}`))
  if (prefix === 'UR' && isNumber('UR')) add('request', queryRequest(db, Number(digits)))
  if (prefix === '' && digits.length >= MIN_DIGITS) add('tracker', queryIdentifiers(db, digits, limit))
  if (code.length === SERIAL_LENGTH) add('tracker', querySerial(db, code))
  add('email', queryEmails(db, text, limit))
  if (!/[@\d]/.test(text)) for (const query of queryNames(db, text, limit)) add('name', query)
  return queries
}

/** Finds accounts by what the text may mean; each account once, by its most exact match. One more than `limit` means that there are more. */
export async function searchAccounts(db: DbReader, text: string, limit: number): Promise<Found[]> {
  const found = new Map<number, Found>()
  for (const { by, query } of listQueries(db, text, limit + 1)) {
    if (found.size > limit) break
    for (const { accountId, value } of await query) if (!found.has(accountId)) found.set(accountId, { accountId, by, value })
  }
  return [...found.values()].slice(0, limit + 1)
}

const SORTED = {
  name: { value: sql`lower(${users.lastName} || ' ' || ${users.firstName})` },
  email: { value: users.email, isUnique: true },
  since: { value: users.accountId, isNumber: true, isUnique: true },
} as const

/** A page of all accounts by their owners, by default the newest first. The texts are those by which the page is sorted. */
export function listAccounts(db: DbReader, sort: CustomerSort = '-since', after: PageEnd | undefined, limit: number) {
  const { orderBy, begin } = sortPage({ columns: SORTED, key: users.accountId, isNumberKey: true, sort, after })
  return db
    .select({ accountId: users.accountId, name: sql<string>`${SORTED.name.value}`, email: users.email })
    .from(users)
    .where(and(IS_OWNER, begin))
    .orderBy(...orderBy)
    .limit(limit)
}

/** Written as in the condition of the partial indexes. */
const IS_OWNER = sql`${users.role} <> 'pro'`

/** Owner and number of trackers of each account, by its id. */
export async function describeAccounts(db: DbReader, accountIds: readonly number[]) {
  const people = await db
    .select()
    .from(users)
    .where(inArray(users.accountId, [...accountIds]))
    .orderBy(sql`${users.role} = 'pro'`, asc(users.id))
  const counts = await db
    .select({ accountId: devices.accountId, count: sql<number>`count(*)`.mapWith(Number) })
    .from(devices)
    .where(inArray(devices.accountId, [...accountIds]))
    .groupBy(devices.accountId)
  return new Map(
    accountIds.map((id) => [
      id,
      { owner: people.find((one) => one.accountId === id), trackers: counts.find((one) => one.accountId === id)?.count ?? 0 },
    ]),
  )
}
