import { and, asc, count, eq, gt, gte, inArray, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { BatchSort, CodeSort, CodeState } from '#contracts/operator/codes.ts'
import { normalizeCode } from '#contracts/rules/reading/text.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { users } from '#db/schema/accounts.ts'
import { prices, verificationCodes } from '#db/schema/commerce.ts'
import { codeBatches } from '#db/schema/staff.ts'
import type { PageEnd } from '#server/lib/pages/page-end.ts'
import { sortPage } from '#server/lib/pages/sorted-page.store.ts'

export type CodeRow = typeof verificationCodes.$inferSelect
export type BatchRow = typeof codeBatches.$inferSelect
export type CountedBatch = { batch: BatchRow; used: number; voided: number }

export async function insertBatch(tx: Tx, row: typeof codeBatches.$inferInsert): Promise<BatchRow> {
  const [added] = await tx.insert(codeBatches).values(row).returning()
  return added!
}

/** Inserts codes that nobody has yet; resolves to those inserted. */
export async function insertCodes(tx: Tx, rows: (typeof verificationCodes.$inferInsert)[]): Promise<CodeRow[]> {
  return tx.insert(verificationCodes).values(rows).onConflictDoNothing().returning()
}

/** A plan of the price list, on sale or not. */
export async function findPlan(db: DbReader, id: string) {
  const [row] = await db
    .select({ id: prices.id, months: prices.months, extra: prices.extra })
    .from(prices)
    .where(and(eq(prices.id, id), eq(prices.type, 'plan')))
  return row
}

/** The plans on sale, the shortest first. */
export function listPlans(db: DbReader) {
  const { id, name, currency, months, extra } = prices
  return db
    .select({ id, name, currency, months, extra })
    .from(prices)
    .where(and(eq(prices.type, 'plan'), eq(prices.isOffered, true)))
    .orderBy(asc(currency), asc(months), asc(id))
}

export async function findUserByEmail(db: DbReader, email: string) {
  const { id, accountId, language, timeZone } = users
  const [row] = await db.select({ id, accountId, language, timeZone }).from(users).where(eq(users.email, email))
  return row
}

type BatchPage = { sort?: BatchSort | undefined; before?: PageEnd | undefined }

const LOWER_NAME = sql<string>`lower(${codeBatches.name})`

const SORTED_BATCHES = {
  name: { value: LOWER_NAME },
  made: { value: codeBatches.id, isNumber: true, isUnique: true },
  months: { value: sql`(${codeBatches.months} + ${codeBatches.extra})`, isNumber: true },
  count: { value: codeBatches.count, isNumber: true },
} as const

/** The query of a page of batches, by default the newest first, with the text by which names are sorted. */
export function selectBatches(db: DbReader, { sort = '-made', before }: BatchPage, limit: number) {
  const { orderBy, begin } = sortPage({ columns: SORTED_BATCHES, key: codeBatches.id, isNumberKey: true, sort, after: before })
  return db
    .select({ batch: codeBatches, lowerName: LOWER_NAME })
    .from(codeBatches)
    .where(begin)
    .orderBy(...orderBy)
    .limit(limit)
}

/** A page of batches, each with how many of its codes are used and void. */
export async function listBatches(db: DbReader, page: BatchPage, limit: number) {
  const rows = await selectBatches(db, page, limit)
  const counted = await countBatches(
    db,
    rows.map(({ batch }) => batch),
  )
  return counted.map((one, at) => ({ ...one, lowerName: rows[at]!.lowerName }))
}

export async function findBatch(db: DbReader, id: number): Promise<CountedBatch | undefined> {
  return (await countBatches(db, await db.select().from(codeBatches).where(eq(codeBatches.id, id))))[0]
}

async function countBatches(db: DbReader, batches: readonly BatchRow[]): Promise<CountedBatch[]> {
  const ids = batches.map(({ id }) => id)
  const { batchId, usedAt, voidedAt } = verificationCodes
  const counts =
    ids.length > 0
      ? await db
          .select({ batchId, used: count(usedAt), voided: count(voidedAt) })
          .from(verificationCodes)
          .where(inArray(batchId, ids))
          .groupBy(batchId)
      : []
  const byId = new Map(counts.map((row) => [row.batchId, row]))
  return batches.map((batch) => ({ batch, used: byId.get(batch.id)?.used ?? 0, voided: byId.get(batch.id)?.voided ?? 0 }))
}

export type CodeFilter = {
  batch?: number | undefined
  state?: CodeState | undefined
  /** The beginning of a code, in any notation. */
  search?: string | undefined
  /** Only those sent by mail. */
  mailed?: boolean | undefined
  sort?: CodeSort | undefined
  after?: PageEnd | undefined
  now: Date
}

// Written as in the indexes, which have no nulls: the engines sort them to different ends.
const MONTHS = sql`(case when ${verificationCodes.months} is null then 0 else ${verificationCodes.months} end + case when ${verificationCodes.extra} is null then 0 else ${verificationCodes.extra} end)`
const ADDRESS = sql`(case when ${verificationCodes.mailedTo} is null then '' else ${verificationCodes.mailedTo} end)`

const SORTED_CODES = {
  code: { value: verificationCodes.code, isUnique: true },
  months: { value: MONTHS, isNumber: true },
  address: { value: ADDRESS },
} as const

const isUnused = and(isNull(verificationCodes.usedAt), isNull(verificationCodes.voidedAt))

const isState = (state: CodeState, now: Date): SQL | undefined =>
  ({
    used: isNotNull(verificationCodes.usedAt),
    void: and(isNull(verificationCodes.usedAt), isNotNull(verificationCodes.voidedAt)),
    expired: and(isUnused, lte(verificationCodes.endsAt, now)),
    open: and(isUnused, or(isNull(verificationCodes.endsAt), gt(verificationCodes.endsAt, now))),
  })[state]

export const listCodes = async (db: DbReader, filter: CodeFilter, limit: number): Promise<CodeRow[]> => selectCodes(db, filter, limit)

/** The query of a page, by default in the order of the codes. */
export function selectCodes(db: DbReader, { batch, state, search, mailed, sort = 'code', after, now }: CodeFilter, limit: number) {
  const { code, batchId, mailedTo } = verificationCodes
  const head = search === undefined ? '' : normalizeCode(search).toUpperCase()
  const { orderBy, begin } = sortPage({ columns: SORTED_CODES, key: code, sort, after })
  return db
    .select()
    .from(verificationCodes)
    .where(
      and(
        batch === undefined ? undefined : eq(batchId, batch),
        // A range of the index by which the page is sorted.
        mailed ? (sort.endsWith('address') ? gt(ADDRESS, '') : isNotNull(mailedTo)) : undefined,
        state && isState(state, now),
        head ? and(gte(code, head), lt(code, `${head}~`)) : undefined,
        begin,
      ),
    )
    .orderBy(...orderBy)
    .limit(limit)
}

/** Voids unused codes, of a batch or by name; resolves to those that were voided. */
export async function voidCodes(tx: Tx, which: { batch: number } | { codes: string[] }, voidedAt: Date): Promise<string[]> {
  const match = 'batch' in which ? eq(verificationCodes.batchId, which.batch) : inArray(verificationCodes.code, which.codes)
  const rows = await tx.update(verificationCodes).set({ voidedAt }).where(and(match, isUnused)).returning({ code: verificationCodes.code })
  return rows.map(({ code }) => code)
}
