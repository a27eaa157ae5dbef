import type { operatorClaims as contract } from '#contracts/operator/claims.ts'
import type { DbReader } from '#db/db.ts'
import { presentClaim } from '#server/billing/care/care-claims.handlers.ts'
import type { Handlers } from '#server/http/serve.ts'
import { formatPageEnd, parsePageEnd } from '#server/lib/pages/page-end.ts'
import { presentCustomers } from '#server/operator/search/present-customer.ts'
import { type ClaimFilter, listClaimsOfAll } from './claims.store.ts'

const PAGE_SIZE = 50

type Query = Omit<ClaimFilter, 'before'> & { before?: string | undefined }

/** A page of the claims of all accounts, and the `before` of the next page. */
export async function readPage(db: DbReader, { search, before, ...query }: Query) {
  const rows = await listClaimsOfAll(db, { ...query, search: search?.trim(), before: parsePageEnd(before) }, PAGE_SIZE + 1)
  const page = rows.slice(0, PAGE_SIZE)
  const last = page.at(-1)?.claim.id
  const customerOf = await presentCustomers(db, page)
  const claims = page.map(({ claim, tracker, accountId }) => ({
    ...presentClaim(claim),
    tracker,
    customer: customerOf(accountId),
  }))
  return { claims, next: last && rows.length > PAGE_SIZE ? formatPageEnd(last, last) : null }
}

export const operatorClaims: Handlers<typeof contract> = { list: ({ query }, { db }) => readPage(db.read, query) }
