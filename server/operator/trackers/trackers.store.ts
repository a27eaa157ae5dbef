import { and, asc, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { TrackerSort } from '#contracts/operator/trackers.ts'
import { normalizeCode } from '#contracts/rules/reading/text.ts'
import type { DbReader } from '#db/db.ts'
import { devices, includedMonthsUsed, stockItems } from '#db/schema/devices.ts'
import type { PageEnd } from '#server/lib/pages/page-end.ts'
import { sortPage } from '#server/lib/pages/sorted-page.store.ts'
import { searchAccounts } from '#server/operator/customers/search.store.ts'
import { hasOneOf } from '#server/operator/search/search.store.ts'

const LOWER_NAME = sql<string>`lower(${devices.name})`

const SORTED = { name: { value: LOWER_NAME }, added: { value: devices.createdAt, isNumber: true } } as const

/** The most trackers and customers that a search looks at, each. */
const MAX_FOUND = 100

type Page = { sort?: TrackerSort | undefined; after?: PageEnd | undefined }

/** Trackers of all accounts, by default the newest first. */
export async function listOwnedTrackers(db: DbReader, { search, ...page }: Page & { search?: string | undefined }, limit: number) {
  return selectOwnedTrackers(db, page, limit, search ? await findTrackers(db, search) : undefined)
}

/** The query of a page, with the text by which the page is sorted. */
export function selectOwnedTrackers(db: DbReader, { sort = '-added', after }: Page, limit: number, match?: SQL) {
  const { orderBy, begin } = sortPage({ columns: SORTED, key: devices.id, isNumberKey: true, sort, after })
  return db
    .select({ device: devices, stock: stockItems, monthsUsedAt: includedMonthsUsed.at, lowerName: LOWER_NAME })
    .from(devices)
    .leftJoin(stockItems, eq(stockItems.identifier, devices.identifier))
    .leftJoin(includedMonthsUsed, eq(includedMonthsUsed.key, devices.identifier))
    .where(and(match, begin))
    .orderBy(...orderBy)
    .limit(limit)
}

/**
 * The trackers that a search text means: by name, owner, customer number, identifier or S/N. Looks it up in one index after the other, so that
 * no search reads all trackers.
 */
export async function findTrackers(db: DbReader, text: string) {
  const found = await queryNames(db, text, MAX_FOUND)
  const customers = await searchAccounts(db, text, MAX_FOUND)
  const ids = found.map(({ id }) => id)
  // A number or S/N means one tracker, and not the others of its account.
  const isNumber = customers.some(({ by }) => by === 'tracker')
  const code = normalizeCode(text).toUpperCase()
  if (isNumber)
    return or(...(ids.length > 0 ? [inArray(devices.id, ids)] : []), beginsWith(sql`${devices.identifier}`, code), eq(devices.serial, code))
  const accounts = customers.map(({ accountId }) => accountId)
  return hasOneOf([devices.id, ids], [devices.accountId, accounts])
}

export const queryNames = (db: DbReader, text: string, limit: number) =>
  db
    .select({ id: devices.id })
    .from(devices)
    .where(
      beginsWith(
        LOWER_NAME,
        text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
      ),
    )
    .orderBy(asc(LOWER_NAME))
    .limit(limit)

const beginsWith = (value: SQL, head: string) => sql`${value} >= ${head} and ${value} < ${`${head}\u{10ffff}`}`
