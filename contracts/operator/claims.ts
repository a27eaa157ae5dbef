import * as z from 'zod/mini'
import { CARE_STATUSES, CareClaim } from '#contracts/billing/care-claims.ts'
import { Id } from '#contracts/lib/common.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { staffRights } from '#contracts/lib/staff-rights.ts'
import { type Sort, SortOf } from './sorting.ts'

/** A claim of a care plan, with its tracker and whose it is. */
export const OperatorClaim = z.extend(CareClaim, {
  tracker: z.string(),
  customer: z.object({ account: Id, email: z.string(), name: z.string() }),
})
export type OperatorClaim = z.infer<typeof OperatorClaim>

export const CLAIM_SORTS = ['date'] as const
export type ClaimSort = Sort<(typeof CLAIM_SORTS)[number]>

export const operatorClaims = {
  list: {
    method: 'GET',
    path: '/operator/api/claims/',
    summary:
      'A page of the claims of care plans of all accounts, the newest first or by `sort`; `search` is a tracker, its owner or an order, and `next` the `before` of the next page',
    access: { staff: staffRights.readCustomers },
    query: z.object({
      status: z.optional(z.enum(CARE_STATUSES)),
      search: z.optional(z.string().check(z.maxLength(200))),
      sort: SortOf(CLAIM_SORTS),
      before: z.optional(z.string().check(z.regex(/^(?:\d{1,15}_)?\d{1,15}$/))),
    }),
    response: { 200: z.object({ claims: z.array(OperatorClaim), next: z.nullable(z.string()) }) },
    safety: 'read',
    provenance: 'ours',
  },
} as const satisfies Contract
