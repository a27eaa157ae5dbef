import { sql } from 'drizzle-orm'
import type { OrderStatus } from '#contracts/billing/orders.ts'
import type { TaxBehavior } from '#contracts/rules/price.ts'
import type { InvoiceStatus } from '#contracts/rules/subscription.ts'
import { accounts } from './accounts.ts'
import { bool, index, instant, int, json, pk, str, table, uniqueIndex } from './columns.ts'
import { devices } from './devices.ts'

const ofAccount = () =>
  int()
    .notNull()
    .references(() => accounts.id, { onDelete: 'cascade' })

/** Products on sale; amounts in minor units for the whole period (C-28). A retired price stays readable for its buyers. */
export const prices = table('prices', {
  id: str().primaryKey(),
  /** `tracker`: a new device, sold only as the replacement that a care plan pays in part. */
  type: str<'plan' | 'option' | 'tracker'>().notNull(),
  name: str().notNull(),
  currency: str().notNull(),
  unitAmount: int().notNull(),
  taxBehavior: str<TaxBehavior>().notNull(),
  interval: str<'month' | 'year'>(),
  intervalCount: int(),
  months: int().notNull(),
  extra: int().notNull(),
  isOffered: bool().notNull().default(true),
})

/** The newest row of a tracker is its current subscription; older ones are past. */
export const subscriptions = table(
  'subscriptions',
  {
    id: pk(),
    deviceId: int()
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    priceId: str().references(() => prices.id),
    isRecurring: bool().notNull(),
    tax: int(),
    months: int().notNull(),
    extra: int().notNull(),
    renewsAt: instant(),
    endsAt: instant(),
    options: json<string[]>().notNull(),
    startedAt: instant().notNull(),
    /** The card provider's subscription that renews it; one may renew several trackers. */
    providerId: str(),
    /** The provider's latest status of the subscription, such as `active` or `past_due`. */
    status: str(),
    /** The tracker keeps working until then while the provider charges for the next period. */
    heldUntil: instant(),
    /** What its renewal costs, in minor units; null: its price has not changed since. */
    renewalAmount: int(),
  },
  (t) => [
    index('subscriptions_by_device').on(t.deviceId),
    index('subscriptions_by_price').on(t.priceId, t.id).where(sql`provider_id is not null`),
    index('subscriptions_by_provider').on(t.providerId),
    index('subscriptions_by_start').on(t.startedAt),
  ],
)

/** A code from an e-mail that links a subscription; without months it is invalid. */
export const verificationCodes = table(
  'verification_codes',
  {
    code: str().primaryKey(),
    months: int(),
    extra: int(),
    deviceId: int(),
    usedAt: instant(),
    /** The batch that it was made with. */
    batchId: int(),
    /** The first instant at which it is too late. */
    endsAt: instant(),
    voidedAt: instant(),
    /** The address that it was mailed to. */
    mailedTo: str(),
  },
  (t) => [
    index('verification_codes_by_batch').on(t.batchId, t.code),
    index('verification_codes_mailed').on(t.code).where(sql`mailed_to is not null`),
    index('verification_codes_by_months').on(
      sql`(case when ${t.months} is null then 0 else ${t.months} end + case when ${t.extra} is null then 0 else ${t.extra} end)`,
      t.code,
    ),
    index('verification_codes_by_address').on(sql`(case when ${t.mailedTo} is null then '' else ${t.mailedTo} end)`, t.code),
  ],
)

/** What an order or an invoice is for; amounts in minor units. */
export type PaidLine = { label: string; quantity: number; unit_amount: number }

export const orders = table(
  'orders',
  {
    reference: str().primaryKey(),
    accountId: ofAccount(),
    date: instant().notNull(),
    status: str<OrderStatus>().notNull(),
    total: int().notNull(),
    tax: int(),
    currency: str().notNull(),
    invoiceId: int(),
    lines: json<PaidLine[]>().notNull(),
    delivery: str(),
    /** When its items were taken from the stock. */
    pickedAt: instant(),
    shippedAt: instant(),
    carrier: str(),
    tracking: str(),
    deliveredAt: instant(),
    /** When it came back; its status stays as it was. */
    returnedAt: instant(),
  },
  (t) => [
    index('orders_by_account').on(t.accountId),
    index('orders_by_date').on(t.date, t.reference),
    index('orders_by_status').on(t.status, t.date, t.reference),
    index('orders_by_return').on(t.returnedAt),
    index('orders_by_total').on(t.total, t.reference),
    index('orders_by_status_and_total').on(t.status, t.total, t.reference),
    index('orders_returned_by_total').on(t.total, t.reference).where(sql`returned_at is not null`),
    index('orders_by_tracking').on(t.tracking),
  ],
)

export const invoices = table(
  'invoices',
  {
    id: pk(),
    accountId: ofAccount(),
    number: str().notNull().unique(),
    date: instant().notNull(),
    amount: int().notNull(),
    balance: int().notNull(),
    currency: str().notNull(),
    status: str<InvoiceStatus>().notNull(),
    orderReference: str(),
    tax: int(),
    lines: json<PaidLine[]>().notNull().default([]),
    /** The invoice at the card provider, where it is paid. */
    providerId: str().unique(),
    /** The refunded amount, in minor units. */
    refunded: int().notNull().default(0),
    /** Whether the card holder disputes the charge at the bank, and with what result. */
    dispute: str<'open' | 'lost' | 'won'>(),
  },
  (t) => [
    index('invoices_by_account').on(t.accountId),
    index('invoices_by_date').on(t.date, t.id),
    index('invoices_by_status').on(t.status, t.date, t.id),
    index('invoices_by_amount').on(t.amount, t.id),
    index('invoices_by_status_and_amount').on(t.status, t.amount, t.id),
    index('invoices_by_refund').on(t.date, t.id).where(sql`refunded > 0`),
    index('invoices_by_dispute').on(t.date, t.id).where(sql`dispute is not null`),
    index('invoices_refunded_by_amount').on(t.amount, t.id).where(sql`refunded > 0`),
    index('invoices_disputed_by_amount').on(t.amount, t.id).where(sql`dispute is not null`),
  ],
)

/** An invoice of an erased account, as it was printed: the law requires it for years. It refers to no account and no tracker. */
export const archivedInvoices = table(
  'archived_invoices',
  {
    id: pk(),
    number: str().notNull().unique(),
    date: instant().notNull(),
    /** Name and address of the customer. */
    billedTo: str().notNull(),
    amount: int().notNull(),
    balance: int().notNull(),
    currency: str().notNull(),
    status: str<InvoiceStatus>().notNull(),
    orderReference: str(),
    tax: int(),
    lines: json<PaidLine[]>().notNull(),
    archivedAt: instant().notNull(),
  },
  (t) => [index('archived_invoices_by_date').on(t.date)],
)

/** The highest number assigned in each numbered series: no number is reused, not even after its row was erased. */
export const counters = table('counters', { key: str<'orders' | 'credit_notes'>().primaryKey(), value: int().notNull() })

/** Cards as described by the provider; never a full number. */
export const paymentMethods = table(
  'payment_methods',
  {
    id: str().primaryKey(),
    accountId: ofAccount(),
    brand: str().notNull(),
    last4: str().notNull(),
    expMonth: int().notNull(),
    expYear: int().notNull(),
    isDefault: bool().notNull(),
  },
  (t) => [index('payment_methods_by_account').on(t.accountId)],
)

/** `amount`: what it costs in this checkout, in minor units; missing in earlier releases. `delivery`: where a replacement is sent. */
export type CheckoutItem = { device: number; price: string; amount?: number; delivery?: string }

/** A purchase sent to the provider's checkout; granted once, when the provider reports it as paid (D-21). */
export const checkouts = table(
  'checkouts',
  {
    sessionId: str().primaryKey(),
    accountId: ofAccount(),
    items: json<CheckoutItem[]>().notNull(),
    openedAt: instant(),
    grantedAt: instant(),
  },
  (t) => [index('checkouts_by_account').on(t.accountId)],
)

/** The inbox: each event of the provider once. An event is handled once its customer has been read again. */
export const paymentEvents = table(
  'payment_events',
  {
    id: str().primaryKey(),
    type: str().notNull(),
    /** The customer of the event; null if it has none. */
    customer: str(),
    /** The charge of the event, if it does not name the customer. */
    charge: str(),
    receivedAt: instant().notNull(),
    handledAt: instant(),
  },
  (t) => [index('payment_events_waiting').on(t.handledAt, t.customer)],
)

/** How far the provider's lists were read; keys and values are defined in `payment-cursors.store.ts`. */
export const paymentCursors = table('payment_cursors', { key: str().primaryKey(), value: str().notNull() })

/** Money that the provider takes or has taken and that matches no row of ours. */
export const unexplainedPayments = table(
  'unexplained_payments',
  {
    /** The provider's id of the checkout session, subscription, invoice or charge. */
    id: str().primaryKey(),
    customer: str(),
    reason: str<UnexplainedReason>().notNull(),
    amount: int().notNull(),
    currency: str().notNull(),
    paidAt: instant().notNull(),
    foundAt: instant().notNull(),
    /** Time at which an operator acknowledged the finding. */
    acceptedAt: instant(),
  },
  (t) => [index('unexplained_payments_by_customer').on(t.customer)],
)

/**
 * `account`: no account of ours has the customer; `tracker`: a paid tracker is not in the account; `claim`: the care claim of a paid
 * replacement is gone; `purchase`: there is no record of what was bought.
 */
export type UnexplainedReason = 'account' | 'tracker' | 'claim' | 'purchase'

/** The effects of a payment, so that they happen once however often it is reported. */
export const paymentEffects = table('payment_effects', { key: str().primaryKey(), at: instant().notNull() })

/** The outbox: pending requests to the provider, written in the transaction that causes them. */
export const paymentTasks = table(
  'payment_tasks',
  {
    id: pk(),
    /** The work that `runTask` in payment-worker.ts does. */
    kind: str<'trim' | 'forget' | 'refund' | 'describe' | 'reprice' | 'pause'>().notNull(),
    /** The provider's id of the subscription or customer, the number of our invoice, or the id of the notice of a new price. */
    ref: str().notNull(),
    attempts: int().notNull().default(0),
    nextAttemptAt: instant().notNull(),
    /** Null in rows of earlier releases. */
    createdAt: instant(),
  },
  (t) => [uniqueIndex('payment_tasks_ref').on(t.kind, t.ref)],
)
