import type { operatorWithdrawals as contract } from '#contracts/operator/withdrawals.ts'
import type { DbReader } from '#db/db.ts'
import type { Handlers } from '#server/http/serve.ts'
import { formatPageEnd, parsePageEnd } from '#server/lib/pages/page-end.ts'
import { presentWithdrawal, readWithdrawal } from './withdrawals.present.ts'
import { listWithdrawals, type WithdrawalFilter } from './withdrawals.store.ts'

const PAGE_SIZE = 50

type Query = Pick<WithdrawalFilter, 'outcome' | 'search' | 'sort'> & { after?: string | undefined }

/** A page of the withdrawals, and the `after` of the next page. */
export async function readPage(db: DbReader, { outcome, search, sort, after }: Query) {
  const rows = await listWithdrawals(db, { outcome, search: search?.trim(), sort, after: parsePageEnd(after) }, PAGE_SIZE + 1)
  const page = rows.slice(0, PAGE_SIZE)
  const last = page.at(-1)
  return {
    withdrawals: await Promise.all(page.map(async (row) => (await presentWithdrawal(db, row)).shown)),
    next: last && rows.length > PAGE_SIZE ? formatPageEnd(last.receivedAt.getTime(), last.id) : null,
  }
}

export const operatorWithdrawals: Handlers<typeof contract> = {
  list: ({ query }, { db }) => readPage(db.read, query),
  read: ({ params }, { db }) => readWithdrawal(db.read, params.id),
}
