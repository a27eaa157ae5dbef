import { and, asc, eq, gt, gte, inArray, isNotNull, isNull, lt, or, type SQL } from 'drizzle-orm'
import type { StockState } from '#contracts/operator/stock.ts'
import { formatIdentifier, normalizeCode } from '#contracts/rules/reading/text.ts'
import type { DeviceType } from '#contracts/rules/tracking/tracker.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { devices, includedMonthsUsed, pastClaims, stockItems } from '#db/schema/devices.ts'
import { unlinkRequests } from '#db/schema/sharing.ts'
import { deeds } from '#db/schema/staff.ts'
import type { DeviceRow } from '#db/scope.ts'
import type { StockItem } from './stock.store.ts'

export type StockFilter = {
  /** The beginning of an identifier or S/N, in any notation. */
  search?: string | undefined
  type?: DeviceType | undefined
  batch?: string | undefined
  state?: StockState | undefined
  /** The last identifier of the page before. */
  after?: string | undefined
  limit: number
}

const IS_STATE: Record<StockState, SQL | undefined> = {
  in_stock: and(isNull(stockItems.blockedAt), isNull(devices.id)),
  claimed: and(isNull(stockItems.blockedAt), isNotNull(devices.id)),
  blocked: isNotNull(stockItems.blockedAt),
}

export type ListedItem = StockItem & { accountId: number | null; state: StockState }

const selectItems = (db: DbReader) =>
  db
    .select({ item: stockItems, deviceId: devices.id, accountId: devices.accountId })
    .from(stockItems)
    .leftJoin(devices, eq(devices.identifier, stockItems.identifier))

const toListed = ({ item, deviceId, accountId }: { item: StockItem; deviceId: number | null; accountId: number | null }): ListedItem => ({
  ...item,
  accountId,
  state: stateOf(item, deviceId !== null),
})

/** A page of the stock in the order of identifiers, each item with its state and the account that claimed it. */
export async function listStock(db: DbReader, { search, type, batch, state, after, limit }: StockFilter) {
  const rows = await selectItems(db)
    .where(
      and(
        after === undefined ? undefined : gt(stockItems.identifier, after),
        type === undefined ? undefined : eq(stockItems.type, type),
        batch === undefined ? undefined : eq(stockItems.batch, batch),
        state && IS_STATE[state],
        search ? or(beginsWith(stockItems.identifier, search), beginsWith(stockItems.serial, search)) : undefined,
      ),
    )
    .orderBy(asc(stockItems.identifier))
    .limit(limit)
  return rows.map(toListed)
}

export async function findListedItem(db: DbReader, identifier: string): Promise<ListedItem | undefined> {
  const [row] = await selectItems(db).where(eq(stockItems.identifier, identifier))
  return row && toListed(row)
}

/** A range, which both engines look up in the index of the column. */
function beginsWith(column: typeof stockItems.identifier | typeof stockItems.serial, text: string) {
  const head = normalizeCode(text).toUpperCase()
  return and(gte(column, head), lt(column, `${head}~`))
}

const stateOf = ({ blockedAt }: StockItem, isClaimed: boolean): StockState => {
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
