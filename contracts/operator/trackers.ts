import * as z from 'zod/mini'
import { Id } from '#contracts/lib/common.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { staffRights } from '#contracts/lib/staff-rights.ts'
import { CustomerTracker } from './customers.ts'
import { type Sort, SortOf } from './sorting.ts'

/** A tracker of any account, with its owner, or with the administrator of its team. */
export const OwnedTracker = z.extend(CustomerTracker, {
  account: Id,
  /** The customer number (`C-…`). */
  number: z.string(),
  /** Null if the account has no owner any more. */
  owner: z.nullable(z.object({ name: z.string(), email: z.string() })),
})
export type OwnedTracker = z.infer<typeof OwnedTracker>

export const TRACKER_SORTS = ['name', 'added'] as const
export type TrackerSort = Sort<(typeof TRACKER_SORTS)[number]>

export const operatorTrackers = {
  list: {
    method: 'GET',
    path: '/operator/api/trackers/',
    summary:
      'A page of the trackers of all accounts with their owners, the newest first or by `sort`, without positions; `next` is the `after` of the next page',
    access: { staff: staffRights.readCustomers },
    query: z.object({
      /** The beginning of the name of a tracker, or what finds a customer: e-mail, name, customer number, identifier, S/N. */
      search: z.optional(z.string().check(z.maxLength(200))),
      sort: SortOf(TRACKER_SORTS),
      after: z.optional(z.string().check(z.regex(/^[\s\S]{0,300}_\d{1,15}$/))),
    }),
    response: { 200: z.object({ trackers: z.array(OwnedTracker), next: z.nullable(z.string()) }) },
    safety: 'read',
    provenance: 'ours',
  },
} as const satisfies Contract
