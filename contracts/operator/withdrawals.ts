import * as z from 'zod/mini'
import { WITHDRAWAL_OUTCOMES } from '#contracts/billing/withdrawal.ts'
import { CurrencyCode, Id, IdParams, Instant, listed, MinorUnits } from '#contracts/lib/common.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { staffRights } from '#contracts/lib/staff-rights.ts'
import { OperatorInvoiceDetails } from './invoices.ts'
import { ORDER_STATES } from './orders.ts'
import { type Sort, SortOf } from './sorting.ts'

/**
 * Where the money of an accepted withdrawal is. `waits`: the device has to come back first; `under_way`: the refund is made by the next
 * task; `back`: everything was paid back.
 */
export const WITHDRAWN_MONEY = ['waits', 'under_way', 'back'] as const

export const OperatorWithdrawal = z.object({
  id: Id,
  received_at: Instant,
  /** Number, address and name as the customer gave them. */
  reference: z.string(),
  email: z.string(),
  name: z.nullable(z.string()),
  outcome: listed(WITHDRAWAL_OUTCOMES),
  /** The contract that was found; null for an unknown one, and once the account is erased. */
  contract: z.nullable(
    z.object({
      order: z.string(),
      state: listed(ORDER_STATES),
      contents: z.string(),
      customer: z.object({ account: Id, email: z.string(), name: z.string() }),
    }),
  ),
  /** Null where nothing goes back. */
  money: z.nullable(listed(WITHDRAWN_MONEY)),
})
export type OperatorWithdrawal = z.infer<typeof OperatorWithdrawal>

export const OperatorWithdrawalDetails = z.extend(OperatorWithdrawal, {
  ordered_at: z.nullable(Instant),
  delivered_at: z.nullable(Instant),
  returned_at: z.nullable(Instant),
  invoice: z.nullable(
    z.object({
      id: Id,
      number: z.string(),
      amount: MinorUnits,
      refunded: MinorUnits,
      currency: CurrencyCode,
      credit_notes: OperatorInvoiceDetails.shape.credit_notes,
    }),
  ),
})
export type OperatorWithdrawalDetails = z.infer<typeof OperatorWithdrawalDetails>

export const WITHDRAWAL_SORTS = ['received'] as const
export type WithdrawalSort = Sort<(typeof WITHDRAWAL_SORTS)[number]>

export const operatorWithdrawals = {
  list: {
    method: 'GET',
    path: '/operator/api/withdrawals/',
    summary: 'A page of the withdrawals that customers declared, the newest first or by `sort`; `next` is the `after` of the next page',
    access: { staff: staffRights.readMoney },
    query: z.object({
      outcome: z.optional(z.enum(WITHDRAWAL_OUTCOMES)),
      /** The beginning of a number or e-mail address, or the name of a customer. */
      search: z.optional(z.string().check(z.maxLength(254))),
      sort: SortOf(WITHDRAWAL_SORTS),
      after: z.optional(z.string().check(z.regex(/^\d{1,15}_\d{1,15}$/))),
    }),
    response: { 200: z.object({ withdrawals: z.array(OperatorWithdrawal), next: z.nullable(z.string()) }) },
    safety: 'read',
    provenance: 'ours',
  },
  read: {
    method: 'GET',
    path: '/operator/api/withdrawals/:id/',
    summary: 'Shows a withdrawal with its contract and what was paid back',
    access: { staff: staffRights.readMoney },
    params: IdParams,
    response: { 200: OperatorWithdrawalDetails },
    safety: 'read',
    provenance: 'ours',
  },
} as const satisfies Contract
