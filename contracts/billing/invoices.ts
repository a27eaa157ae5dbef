import * as z from 'zod/mini'
import { CurrencyCode, Id, IdParams, Instant, listed, MinorUnits } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import { type Contract, file } from '#contracts/lib/route.ts'
import { INVOICE_STATUSES } from '#contracts/rules/subscription.ts'

export const DISPUTE_STATUSES = ['open', 'lost', 'won'] as const
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number]

/** `amount` is the total, `balance` the part that is still unpaid. */
export const Invoice = z.object({
  id: Id,
  number: z.string(),
  date: Instant,
  amount: MinorUnits,
  balance: MinorUnits,
  currency: CurrencyCode,
  status: listed(INVOICE_STATUSES),
  order: z.nullable(z.string()),
  /** The refunded amount; absent without a refund. */
  refunded: z.optional(MinorUnits),
  /** Whether the card holder disputes the payment at the bank: `lost` was paid back by the bank, `won` was not. Absent without a dispute. */
  dispute: z.optional(listed(DISPUTE_STATUSES)),
})
export type Invoice = z.infer<typeof Invoice>

export const invoices = {
  list: {
    method: 'GET',
    path: '/users/invoices/',
    summary: 'Lists the invoices of the account, newest first',
    access: rights.readOrders,
    response: { 200: z.array(Invoice) },
    safety: 'read',
    provenance: 'assumed',
  },
  pdf: {
    method: 'GET',
    path: '/users/invoices/:id/pdf/',
    summary: "Downloads an invoice as a PDF in the reader's language",
    access: rights.readOrders,
    showsPositions: false,
    costly: true,
    params: IdParams,
    response: { 200: file('application/pdf') },
    safety: 'read',
    provenance: 'assumed',
  },
  pay: {
    method: 'POST',
    path: '/users/invoices/:id/pay/',
    summary:
      "Pays an open or failed invoice with the default card; when declined, the error carries the provider's invoice page as `hosted_url`, for another card or a bank check",
    access: rights.buy,
    params: IdParams,
    body: z.object({}),
    response: { 200: Invoice },
    errors: ['already_paid', 'payment_failed', 'no_payment_method'],
    safety: 'destructive',
    provenance: 'assumed',
  },
} as const satisfies Contract
