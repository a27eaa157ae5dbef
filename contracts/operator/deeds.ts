import * as z from 'zod/mini'
import { Instant, listed } from '#contracts/lib/common.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { staffRights } from '#contracts/lib/staff-rights.ts'
import { type Sort, SortOf } from './sorting.ts'

/** What staff can do. A deed that concerns an account stands in the security log of its owner too. */
export const DEED_KINDS = [
  'staff_added',
  'staff_changed',
  'staff_removed',
  'key_added',
  'key_ended',
  'gateway_made',
  'gateway_ended',
  'request_accepted',
  'request_refused',
  'order_picked',
  'order_shipped',
  'order_delivered',
  'order_returned',
  'stock_imported',
  'stock_blocked',
  'stock_unblocked',
  'sessions_ended',
  'sign_in_unlocked',
  'pro_made',
  'months_given',
  'plan_moved',
  'plan_paused',
  'plan_resumed',
  'mail_resent',
  'email_change_started',
  'invoice_refunded',
  'codes_made',
  'code_mailed',
  'codes_voided',
  'announcement_made',
  'announcement_ended',
  'price_set',
  'price_withdrawn',
  'prices_replaced',
] as const
export type DeedKind = (typeof DEED_KINDS)[number]

export const Deed = z.object({
  id: z.int(),
  at: Instant,
  kind: listed(DEED_KINDS),
  who: z.string(),
  subject: z.string(),
  detail: z.record(z.string(), z.nullable(z.union([z.string(), z.number()]))),
})
export type Deed = z.infer<typeof Deed>

export const DEED_SORTS = ['when', 'who'] as const
export type DeedSort = Sort<(typeof DEED_SORTS)[number]>

/** The log of what staff have done. */
export const deeds = {
  list: {
    method: 'GET',
    path: '/operator/api/deeds/',
    summary: 'A page of the log of deeds, newest first or by `sort`; `next` is the `before` of the next page',
    access: { staff: staffRights.manageStaff },
    query: z.object({
      sort: SortOf(DEED_SORTS),
      before: z.optional(z.string().check(z.regex(/^(?:[\s\S]{0,300}_)?\d{1,15}$/))),
      subject: z.optional(z.string()),
      kind: z.optional(z.enum(DEED_KINDS)),
    }),
    response: { 200: z.object({ deeds: z.array(Deed), next: z.nullable(z.string()) }) },
    safety: 'read',
    provenance: 'ours',
  },
} as const satisfies Contract
