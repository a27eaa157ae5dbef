import * as z from 'zod/mini'
import { DISPUTE_STATUSES, Invoice } from '#contracts/billing/invoices.ts'
import { OrderDetails } from '#contracts/billing/orders.ts'
import { CurrencyCode, Id, IdParams, Instant, listed, MinorUnits } from '#contracts/lib/common.ts'
import { type Contract, file } from '#contracts/lib/route.ts'
import { staffRights } from '#contracts/lib/staff-rights.ts'
import { INVOICE_STATUSES } from '#contracts/rules/subscription.ts'
import { type Sort, SortOf } from './sorting.ts'

export const INVOICE_FILTERS = [...INVOICE_STATUSES, 'refunded', 'disputed'] as const
export type InvoiceFilter = (typeof INVOICE_FILTERS)[number]

export const OperatorInvoice = z.object({
  id: Id,
  number: z.string(),
  date: Instant,
  customer: z.object({ account: Id, email: z.string(), name: z.string() }),
  amount: MinorUnits,
  balance: MinorUnits,
  currency: CurrencyCode,
  status: Invoice.shape.status,
  order: z.nullable(z.string()),
  refunded: MinorUnits,
  dispute: z.nullable(listed(DISPUTE_STATUSES)),
})
export type OperatorInvoice = z.infer<typeof OperatorInvoice>

export const CREDIT_REASONS = ['refund', 'dispute'] as const

export const OperatorInvoiceDetails = z.extend(OperatorInvoice, {
  lines: OrderDetails.shape.lines,
  tax: z.nullable(MinorUnits),
  /** What can still be paid back. */
  refundable: MinorUnits,
  payments: z.array(z.object({ at: Instant, amount: MinorUnits, card: z.nullable(z.string()), country: z.nullable(z.string()) })),
  /** `failed`: the bank did not take the refund. */
  credit_notes: z.array(
    z.object({
      id: Id,
      number: z.string(),
      date: Instant,
      amount: MinorUnits,
      reason: listed(CREDIT_REASONS),
      failed: z.boolean(),
    }),
  ),
})
export type OperatorInvoiceDetails = z.infer<typeof OperatorInvoiceDetails>

/** A day such as `2026-11-29`. */
const Day = z.iso.date()

export const INVOICE_SORTS = ['date', 'amount'] as const
export type InvoiceSort = Sort<(typeof INVOICE_SORTS)[number]>

export const operatorInvoices = {
  list: {
    method: 'GET',
    path: '/operator/api/invoices/',
    summary: 'A page of the invoices, the newest first or by `sort`; `next` is the `after` of the next page',
    access: { staff: staffRights.readMoney },
    query: z.object({
      state: z.optional(z.enum(INVOICE_FILTERS)),
      /** The beginning of a number or e-mail address, a name, or the number of an order or a credit note. */
      search: z.optional(z.string().check(z.maxLength(254))),
      sort: SortOf(INVOICE_SORTS),
      after: z.optional(z.string().check(z.regex(/^-?\d{1,15}_\d{1,15}$/))),
    }),
    response: { 200: z.object({ invoices: z.array(OperatorInvoice), next: z.nullable(z.string()) }) },
    safety: 'read',
    provenance: 'ours',
  },
  read: {
    method: 'GET',
    path: '/operator/api/invoices/:id/',
    summary: 'Shows an invoice with its payments and credit notes',
    access: { staff: staffRights.readMoney },
    params: IdParams,
    response: { 200: OperatorInvoiceDetails },
    safety: 'read',
    provenance: 'ours',
  },
  refund: {
    method: 'POST',
    path: '/operator/api/invoices/:id/refund/',
    summary: 'Pays an invoice back to the card that paid it, in whole or in part; in whole it ends what the invoice paid for',
    access: { staff: staffRights.handleMoney },
    params: IdParams,
    /** Minor units; without an amount everything that is left. */
    body: z.object({ amount: z.optional(z.int().check(z.positive())) }),
    response: { 200: OperatorInvoiceDetails },
    errors: ['nothing_to_refund', 'disputed', 'refund_failed'],
    safety: 'destructive',
    provenance: 'ours',
  },
  export: {
    method: 'GET',
    path: '/operator/api/accounting/',
    summary: 'Invoices, payments, credit notes and refunds from one day to another, both included, as CSV; days are in UTC',
    access: { staff: staffRights.handleMoney },
    query: z.object({ from: Day, to: Day }),
    response: { 200: file('text/csv') },
    safety: 'read',
    provenance: 'ours',
  },
} as const satisfies Contract
