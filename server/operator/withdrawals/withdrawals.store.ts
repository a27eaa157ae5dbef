import { and, desc, eq, type SQL } from 'drizzle-orm'
import type { WithdrawalOutcome } from '#contracts/billing/withdrawal.ts'
import type { WithdrawalSort } from '#contracts/operator/withdrawals.ts'
import type { DbReader } from '#db/db.ts'
import { withdrawals } from '#db/schema/returns.ts'
import type { WithdrawalRow } from '#server/billing/withdrawals/withdrawals.store.ts'
import type { PageEnd } from '#server/lib/pages/page-end.ts'
import { sortPage } from '#server/lib/pages/sorted-page.store.ts'
import { beginsWith, findAccounts, hasOneOf } from '#server/operator/search/search.store.ts'

export type WithdrawalFilter = {
  outcome?: WithdrawalOutcome | undefined
  search?: string | undefined
  sort?: WithdrawalSort | undefined
  after?: PageEnd | undefined
}

export async function listWithdrawals(db: DbReader, { search, ...filter }: WithdrawalFilter, limit: number): Promise<WithdrawalRow[]> {
  const found = search ? await findMatches(db, search, limit) : undefined
  if (found && found.ids.length + found.accounts.length === 0) return []
  return selectWithdrawals(db, filter, limit, found && hasOneOf([withdrawals.id, found.ids], [withdrawals.accountId, found.accounts]))
}

const SORTED = { received: { value: withdrawals.receivedAt, isNumber: true } } as const

/** The query of a page, by default the newest first. */
export function selectWithdrawals(
  db: DbReader,
  { outcome, sort = '-received', after }: Omit<WithdrawalFilter, 'search'>,
  limit: number,
  match?: SQL,
) {
  const { orderBy, begin } = sortPage({ columns: SORTED, key: withdrawals.id, isNumberKey: true, sort, after })
  return db
    .select()
    .from(withdrawals)
    .where(and(outcome && eq(withdrawals.outcome, outcome), match, begin))
    .orderBy(...orderBy)
    .limit(limit)
}

/** Looks up a search text in one index after the other, so that no search reads all withdrawals. */
async function findMatches(db: DbReader, text: string, limit: number) {
  const number = /^(?:(ORD|INV)-?)?(\d+)$/.exec(text.toUpperCase().replace(/\s/g, ''))
  const heads = number ? (number[1] ? [`${number[1]}-${number[2]}`] : [`ORD-${number[2]}`, `INV-${number[2]}`]) : []
  const ids = await Promise.all([
    ...heads.map((head) => selectIds(db, beginsWith(withdrawals.reference, head), limit)),
    ...(text.includes('@') ? [selectIds(db, beginsWith(withdrawals.email, text.toLowerCase()), limit)] : []),
  ])
  return { ids: ids.flat(), accounts: number ? [] : await findAccounts(db, text) }
}

async function selectIds(db: DbReader, match: SQL | undefined, limit: number) {
  const rows = await db.select({ id: withdrawals.id }).from(withdrawals).where(match).orderBy(desc(withdrawals.id)).limit(limit)
  return rows.map(({ id }) => id)
}

export async function findWithdrawalById(db: DbReader, id: number): Promise<WithdrawalRow | undefined> {
  const [row] = await db.select().from(withdrawals).where(eq(withdrawals.id, id))
  return row
}
