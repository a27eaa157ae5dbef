import { and, asc, eq, gte, inArray, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { StockSort, StockState } from '#contracts/operator/stock.ts'
import { formatIdentifier, normalizeCode } from '#contracts/rules/reading/text.ts'
import type { DeviceType } from '#contracts/rules/tracking/tracker.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { devices, includedMonthsUsed, pastClaims, stockItems } from '#db/schema/devices.ts'
import { unlinkRequests } from '#db/schema/sharing.ts'
import { deeds } from '#db/schema/staff.ts'
import type { DeviceRow } from '#db/scope.ts'
import { formatPageEnd, type PageEnd } from '#server/lib/pages/page-end.ts'
import { sortPage } from '#server/lib/pages/sorted-page.store.ts'
import type { StockItem } from './stock.store.ts'

export type StockFilter = {
  /** The beginning of an identifier or S/N, in any notation. */
  search?: string | undefined
  type?: DeviceType | undefined
  batch?: string | undefined
  state?: StockState | undefined
  /** By default the order of identifiers. */
  sort?: StockSort | undefined
  after?: PageEnd | undefined
  limit: number
}

const IS_STATE: Record<StockState, SQL | undefined> = {
  in_stock: and(isNull(stockItems.blockedAt), eq(stockItems.isClaimed, false)),
  claimed: and(isNull(stockItems.blockedAt), eq(stockItems.isClaimed, true)),
  blocked: isNotNull(stockItems.blockedAt),
}

export type ListedItem = StockItem & { accountId: number | null; state: StockState }

const selectItems = (db: DbReader) =>
  db
    .select({ item: stockItems, accountId: devices.accountId })
    .from(stockItems)
    .leftJoin(devices, eq(devices.identifier, stockItems.identifier))

const toListed = ({ item, accountId }: { item: StockItem; accountId: number | null }): ListedItem => ({
  ...item,
  accountId,
  state: stateOf(item),
})

// Written as in the indexes, which have no nulls: the engines sort them to different ends.
const SORTED = {
  identifier: { value: stockItems.identifier, isUnique: true },
  serial: { value: stockItems.serial, isUnique: true },
  type: { value: stockItems.type },
  batch: { value: sql`case when ${stockItems.batch} is null then '' else ${stockItems.batch} end` },
  months: { value: stockItems.includedMonths, isNumber: true },
  added: { value: sql`case when ${stockItems.addedAt} is null then 0 else ${stockItems.addedAt} end`, isNumber: true },
} as const

export function selectStock(db: DbReader, { search, type, batch, state, sort = 'identifier', after, limit }: StockFilter) {
  const { orderBy, begin } = sortPage({ columns: SORTED, key: stockItems.identifier, sort, after })
  return selectItems(db)
    .where(
      and(
        begin,
        type === undefined ? undefined : eq(stockItems.type, type),
        batch === undefined ? undefined : eq(stockItems.batch, batch),
        state && IS_STATE[state],
        search ? or(beginsWith(stockItems.identifier, search), beginsWith(stockItems.serial, search)) : undefined,
      ),
    )
    .orderBy(...orderBy)
    .limit(limit)
}

/** The end of a page, with the value that the list is sorted by. */
export function endOfStock({ identifier, ...item }: StockItem, sort: StockSort = 'identifier') {
  const values = {
    identifier,
    serial: item.serial,
    type: item.type,
    batch: item.batch ?? '',
    months: item.includedMonths,
    added: item.addedAt?.getTime() ?? 0,
  }
  return formatPageEnd(values[sort.replace(/^-/, '') as keyof typeof values], identifier)
}

/** A page of the stock, each item with its state and the account that claimed it. */
export const listStock = async (db: DbReader, filter: StockFilter) => (await selectStock(db, filter)).map(toListed)

export async function findListedItem(db: DbReader, identifier: string): Promise<ListedItem | undefined> {
  const [row] = await selectItems(db).where(eq(stockItems.identifier, identifier))
  return row && toListed(row)
}

/** A range, which both engines look up in the index of the column. */
function beginsWith(column: typeof stockItems.identifier | typeof stockItems.serial, text: string) {
  const head = normalizeCode(text).toUpperCase()
  return and(gte(column, head), lt(column, `${head}~`))
}

const stateOf = ({ blockedAt, isClaimed }: StockItem): StockState => {
  if (blockedAt) return 'blocked'
  return isClaimed ? 'claimed' : 'in_stock'
}

/** What was recorded about an item, each in the order of time. */
export async function readItemRecords(db: DbReader, identifier: string) {
  const { createdAt: at, accountId } = devices
  const claims = await db.select({ at, accountId }).from(devices).where(eq(devices.identifier, identifier))
  const past = await db.select().from(pastClaims).where(eq(pastClaims.identifier, identifier)).orderBy(asc(pastClaims.id))
  const monthsUsed = await db.select({ at: includedMonthsUsed.at }).from(includedMonthsUsed).where(eq(includedMonthsUsed.key, identifier))
  const requests = await db
    .select({ at: unlinkRequests.createdAt, id: unlinkRequests.id })
    .from(unlinkRequests)
    .where(eq(unlinkRequests.identifier, identifier))
    .orderBy(asc(unlinkRequests.id))
  const done = await db
    .select({ at: deeds.at, kind: deeds.kind, who: deeds.who, detail: deeds.detail })
    .from(deeds)
    .where(and(eq(deeds.subject, formatIdentifier(identifier)), inArray(deeds.kind, ['stock_blocked', 'stock_unblocked'])))
    .orderBy(asc(deeds.id))
  return { claim: claims[0], past, monthsUsed: monthsUsed[0], requests, blocks: done }
}

/** Keeps that accounts had these trackers, for the history of the stock. */
export async function insertPastClaims(tx: Tx, removed: readonly DeviceRow[], removedAt: Date) {
  const rows = removed.flatMap(({ identifier, accountId, createdAt: claimedAt }) =>
    identifier ? [{ identifier, accountId, claimedAt, removedAt }] : [],
  )
  if (rows.length > 0) await tx.insert(pastClaims).values(rows)
}

/** Keeps that an erased account had trackers, but not which account it was. */
export const forgetAccountInStock = (tx: Tx, accountId: number) =>
  tx.update(pastClaims).set({ accountId: null }).where(eq(pastClaims.accountId, accountId))
