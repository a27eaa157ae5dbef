import { and, asc, eq, gt, gte, inArray, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { normalizeCode } from '#contracts/rules/reading/text.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { devices, includedMonthsUsed, stockItems } from '#db/schema/devices.ts'
import { unlinkRequests } from '#db/schema/sharing.ts'

export type StockItem = typeof stockItems.$inferSelect
export type NewStockItem = typeof stockItems.$inferInsert
/** A tracker on an account. */
export type Claim = Pick<typeof devices.$inferSelect, 'id' | 'accountId' | 'identifier' | 'serial'>

/** Finds the stock item of a number, by the serial if given, because a serial has to be known. */
export async function findStockItem(
  db: DbReader,
  { identifier, serial }: { identifier?: string | undefined; serial?: string | undefined },
) {
  const match = serial ? eq(stockItems.serial, serial) : eq(stockItems.identifier, identifier ?? '')
  const [item] = await db.select().from(stockItems).where(match)
  return item
}

export const areMonthsUsed = async (db: DbReader, key: string) => (await db.$count(includedMonthsUsed, eq(includedMonthsUsed.key, key))) > 0

/** Marks the included months of a key as used; resolves to whether they were unused before. */
export async function markMonthsUsed(tx: Tx, key: string, at: Date) {
  const marked = await tx.insert(includedMonthsUsed).values({ key, at }).onConflictDoNothing().returning()
  return marked.length === 1
}

type Numbers = readonly { identifier: string; serial: string }[]

const hasNumberOf = (table: typeof stockItems | typeof devices, numbers: Numbers) =>
  or(
    inArray(
      table.identifier,
      numbers.map(({ identifier }) => identifier),
    ),
    inArray(
      table.serial,
      numbers.map(({ serial }) => serial),
    ),
  )

/** The stock items that have either of the numbers. */
export const findItemsOf = (db: DbReader, numbers: Numbers): Promise<StockItem[]> =>
  db.select().from(stockItems).where(hasNumberOf(stockItems, numbers))

/** The trackers on accounts that have either of the numbers. */
export const findClaimsOf = (db: DbReader, numbers: Numbers): Promise<Claim[]> =>
  db
    .select({ id: devices.id, accountId: devices.accountId, identifier: devices.identifier, serial: devices.serial })
    .from(devices)
    .where(hasNumberOf(devices, numbers))

/** Adds stock items, and replaces what a list says about known ones. */
export async function saveStockItems(tx: Tx, rows: NewStockItem[]) {
  if (rows.length === 0) return
  const set = {
    type: sql`excluded.type`,
    boardName: sql`excluded.board_name`,
    includedMonths: sql`excluded.included_months`,
    batch: sql`excluded.batch`,
  }
  await tx.insert(stockItems).values(rows).onConflictDoUpdate({ target: stockItems.identifier, set })
}

/** Sets the S/N of an account's tracker, unless it has one. */
export const setSerial = (tx: Tx, id: number, serial: string) =>
  tx
    .update(devices)
    .set({ serial })
    .where(and(eq(devices.id, id), isNull(devices.serial)))

/** Blocks items, so that nobody can claim them, or with null allows it again; resolves to the identifiers that are in stock. */
export async function setBlocked(tx: Tx, identifiers: string[], blockedAt: Date | null) {
  const rows = await tx
    .update(stockItems)
    .set({ blockedAt })
    .where(inArray(stockItems.identifier, identifiers))
    .returning({ identifier: stockItems.identifier })
  return rows.map(({ identifier }) => identifier)
}

export const STOCK_STATES = ['in_stock', 'claimed', 'blocked'] as const
type StockState = (typeof STOCK_STATES)[number]

export type StockFilter = {
  /** The beginning of an identifier or S/N, in any notation. */
  search?: string | undefined
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

/** A page of the stock in the order of identifiers, each item with its state and the tracker of the account that claimed it. */
export async function listStock(db: DbReader, { search, batch, state, after, limit }: StockFilter) {
  const rows = await db
    .select({ item: stockItems, deviceId: devices.id, accountId: devices.accountId })
    .from(stockItems)
    .leftJoin(devices, eq(devices.identifier, stockItems.identifier))
    .where(
      and(
        after === undefined ? undefined : gt(stockItems.identifier, after),
        batch === undefined ? undefined : eq(stockItems.batch, batch),
        state && IS_STATE[state],
        search ? or(beginsWith(stockItems.identifier, search), beginsWith(stockItems.serial, search)) : undefined,
      ),
    )
    .orderBy(asc(stockItems.identifier))
    .limit(limit)
  return rows.map(({ item, ...claim }) => ({ ...item, ...claim, state: stateOf(item, claim.deviceId !== null) }))
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

/** What happened to an item, oldest first: each step with its time, or null if that is not known. */
export async function readItemHistory(db: DbReader, item: StockItem) {
  const { identifier } = item
  const [claim] = await db
    .select({ at: devices.createdAt, accountId: devices.accountId })
    .from(devices)
    .where(eq(devices.identifier, identifier))
  const [used] = await db.select({ at: includedMonthsUsed.at }).from(includedMonthsUsed).where(eq(includedMonthsUsed.key, identifier))
  const requests = await db
    .select({ at: unlinkRequests.createdAt, status: unlinkRequests.status })
    .from(unlinkRequests)
    .where(eq(unlinkRequests.identifier, identifier))
    .orderBy(asc(unlinkRequests.id))
  return [
    { at: item.addedAt, what: 'added to the stock' },
    ...(used ? [{ at: used.at, what: 'included months used' }] : []),
    ...requests.map(({ at, status }) => ({ at, what: `unlink request, ${status}` })),
    ...(claim ? [{ at: claim.at, what: `claimed by account ${claim.accountId}` }] : []),
    ...(item.blockedAt ? [{ at: item.blockedAt, what: 'blocked' }] : []),
  ].sort((a, b) => (a.at?.getTime() ?? 0) - (b.at?.getTime() ?? 0))
}
