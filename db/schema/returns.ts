import type { CareReason, CareStatus } from '#contracts/billing/care-claims.ts'
import { index, instant, int, pk, str, table } from './columns.ts'
import { devices } from './devices.ts'

/** Successful charges for invoices. Like credit notes they outlive the account, without naming it. */
export const invoicePayments = table(
  'invoice_payments',
  {
    /** The charge at the card provider. */
    id: str().primaryKey(),
    /** Null once the account is erased. */
    accountId: int(),
    invoiceNumber: str().notNull(),
    amount: int().notNull(),
    currency: str().notNull(),
    paidAt: instant().notNull(),
    cardBrand: str(),
    cardLast4: str(),
    /** ISO code of the billing address, where the card holder gave it. */
    country: str(),
  },
  (t) => [
    index('invoice_payments_by_invoice').on(t.invoiceNumber),
    index('invoice_payments_by_date').on(t.paidAt),
    index('invoice_payments_by_account').on(t.accountId),
  ],
)

/** Declarations of customers that they withdraw from a contract, as they came. */
export const withdrawals = table(
  'withdrawals',
  {
    id: pk(),
    receivedAt: instant().notNull(),
    /** The number, address and name as they were given. */
    reference: str().notNull(),
    email: str().notNull(),
    name: str(),
    /** The order that was found; null for an unknown contract. */
    orderReference: str(),
    accountId: int(),
    outcome: str<'refund' | 'return' | 'again' | 'closed' | 'unknown'>().notNull(),
  },
  (t) => [
    index('withdrawals_by_order').on(t.orderReference),
    index('withdrawals_by_account').on(t.accountId),
    index('withdrawals_by_time').on(t.receivedAt),
    index('withdrawals_by_outcome').on(t.outcome, t.receivedAt),
    index('withdrawals_by_email').on(t.email),
    index('withdrawals_by_reference').on(t.reference),
  ],
)

/** Money of an invoice that went back: by a refund, or by the bank after a dispute. */
export const creditNotes = table(
  'credit_notes',
  {
    id: pk(),
    /** Null once the account is erased. */
    accountId: int(),
    number: str().notNull().unique(),
    invoiceNumber: str().notNull(),
    date: instant().notNull(),
    amount: int().notNull(),
    /** The share of the invoice's tax. */
    tax: int(),
    currency: str().notNull(),
    reason: str<'refund' | 'dispute'>().notNull(),
    /** The refund or the dispute at the card provider. */
    providerId: str().notNull().unique(),
    /** When the provider took the refund back because it failed. */
    voidedAt: instant(),
  },
  (t) => [
    index('credit_notes_by_invoice').on(t.invoiceNumber),
    index('credit_notes_by_date').on(t.date),
    index('credit_notes_by_account').on(t.accountId),
  ],
)

/** At most one open claim per tracker, and one with an ordered replacement. */
export const careClaims = table(
  'care_claims',
  {
    id: pk(),
    deviceId: int()
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    reason: str<CareReason>().notNull(),
    description: str().notNull(),
    delivery: str(),
    status: str<CareStatus>().notNull(),
    createdAt: instant().notNull(),
    closedAt: instant(),
    /** The newest checkout of the replacement. */
    checkoutId: str(),
    orderReference: str(),
  },
  (t) => [
    index('care_claims_by_device').on(t.deviceId),
    index('care_claims_by_checkout').on(t.checkoutId),
    index('care_claims_by_order').on(t.orderReference),
    index('care_claims_by_status').on(t.status, t.id),
  ],
)
