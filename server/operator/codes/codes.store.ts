import { and, asc, count, desc, eq, gt, gte, inArray, isNotNull, isNull, lt, lte, or, type SQL } from 'drizzle-orm'
import type { CodeState } from '#contracts/operator/codes.ts'
import { normalizeCode } from '#contracts/rules/reading/text.ts'
import type { DbReader, Tx } from '#db/db.ts'
import { users } from '#db/schema/accounts.ts'
import { prices, verificationCodes } from '#db/schema/commerce.ts'
import { codeBatches } from '#db/schema/staff.ts'

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

/** Newest first, each with how many of its codes are used and void. */
export async function listBatches(db: DbReader, before: number | undefined, limit: number): Promise<CountedBatch[]> {
  const batches = await db
    .select()
    .from(codeBatches)
    .where(before === undefined ? undefined : lt(codeBatches.id, before))
    .orderBy(desc(codeBatches.id))
    .limit(limit)
  return countBatches(db, batches)
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
  after?: string | undefined
  now: Date
}

const isUnused = and(isNull(verificationCodes.usedAt), isNull(verificationCodes.voidedAt))

const isState = (state: CodeState, now: Date): SQL | undefined =>
  ({
    used: isNotNull(verificationCodes.usedAt),
    void: and(isNull(verificationCodes.usedAt), isNotNull(verificationCodes.voidedAt)),
    expired: and(isUnused, lte(verificationCodes.endsAt, now)),
    open: and(isUnused, or(isNull(verificationCodes.endsAt), gt(verificationCodes.endsAt, now))),
  })[state]

export const listCodes = async (db: DbReader, filter: CodeFilter, limit: number): Promise<CodeRow[]> => selectCodes(db, filter, limit)

export function selectCodes(db: DbReader, { batch, state, search, mailed, after, now }: CodeFilter, limit: number) {
  const { code, batchId, mailedTo } = verificationCodes
  const head = search === undefined ? '' : normalizeCode(search).toUpperCase()
  return db
    .select()
    .from(verificationCodes)
    .where(
      and(
        batch === undefined ? undefined : eq(batchId, batch),
        mailed ? isNotNull(mailedTo) : undefined,
        state && isState(state, now),
        head ? and(gte(code, head), lt(code, `${head}~`)) : undefined,
        after === undefined ? undefined : gt(code, after),
      ),
    )
    .orderBy(asc(code))
    .limit(limit)
}

/** Voids unused codes, of a batch or by name; resolves to those that were voided. */
export async function voidCodes(tx: Tx, which: { batch: number } | { codes: string[] }, voidedAt: Date): Promise<string[]> {
  const match = 'batch' in which ? eq(verificationCodes.batchId, which.batch) : inArray(verificationCodes.code, which.codes)
  const rows = await tx.update(verificationCodes).set({ voidedAt }).where(and(match, isUnused)).returning({ code: verificationCodes.code })
  return rows.map(({ code }) => code)
}
