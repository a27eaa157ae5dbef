import type { operatorClaims as contract } from '#contracts/operator/claims.ts'
import { presentClaim } from '#server/billing/care/care-claims.handlers.ts'
import { listClaimsOfAll } from '#server/billing/records/care-claims.store.ts'
import type { Handlers } from '#server/http/serve.ts'
import { presentCustomer } from '#server/operator/search/present-customer.ts'

const PAGE_SIZE = 50

export const operatorClaims: Handlers<typeof contract> = {
  async list({ query: { status, before } }, { db: { read } }) {
    const rows = await listClaimsOfAll(read, { status, before: before === undefined ? undefined : Number(before) }, PAGE_SIZE + 1)
    const page = rows.slice(0, PAGE_SIZE)
    const claims = await Promise.all(
      page.map(async ({ claim, tracker, accountId }) => ({
        ...presentClaim(claim),
        tracker,
        customer: await presentCustomer(read, accountId),
      })),
    )
    return { claims, next: rows.length > PAGE_SIZE ? String(page.at(-1)!.claim.id) : null }
  },
}
