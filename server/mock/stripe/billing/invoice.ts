import type Stripe from 'stripe'
import { createId, nowInSeconds, PAGES_PATH, type Provider } from '#server/mock/stripe/api/provider.ts'
import { buildLineTaxes, findExemption, sumInvoice } from './tax.ts'

/** `item`: the subscription item that the line renews, with its period. `pendingItem`: the invoice item that the line bills. */
export type InvoiceLine = {
  label: string
  amount: number
  quantity?: number | undefined
  item?: Stripe.SubscriptionItem | undefined
  pendingItem?: Stripe.InvoiceItem | undefined
  /** Tax rates of the line itself, which replace those of its invoice. */
  taxRates?: readonly Stripe.TaxRate[] | undefined
}

export type InvoiceFacts = {
  id?: string
  customer: string | null
  subscription?: string | null
  /** The fields of the invoice and its lines about the subscription. */
  subscriptionMetadata?: Stripe.Metadata
  reason?: Stripe.Invoice.BillingReason
  /** When a draft is finalized, in seconds; null means never. Absent when the invoice is not a draft. */
  draftUntil?: number | null
  created: number
  currency: string
  /** The total, if it is known without the lines. */
  amount?: number
  /** The remaining amount; the whole amount when absent. */
  balance?: number
  attempts: number
  /** The tax rates of lines without rates of their own. */
  taxRates?: readonly Stripe.TaxRate[]
  lines: readonly InvoiceLine[]
  description?: string | null
  metadata?: Stripe.Metadata
  /** Whether Stripe finalizes and charges the invoice by itself. */
  isAdvancing?: boolean
}

export function saveInvoice(provider: Provider, { id = createId(provider, 'in'), customer, created, currency, ...facts }: InvoiceFacts) {
  const exemption = findExemption(provider, customer)
  const defaults = facts.taxRates ?? []
  const isDraft = facts.draftUntil !== undefined
  const metadata = facts.subscriptionMetadata ?? {}
  const owner = { invoice: id, created, currency, subscription: facts.subscription ?? null, metadata }
  const lines = facts.lines.map((line, index) => ({
    ...buildInvoiceLine(owner, line, index),
    taxes: buildLineTaxes(line.amount, chooseRates(line, defaults), exemption),
  }))
  const sums = { ...sumInvoice(lines), ...(facts.amount !== undefined && { subtotal: facts.amount, total: facts.amount }) }
  const { total } = sums
  const balance = facts.balance ?? total
  const isPaid = balance === 0
  const invoice: Stripe.Invoice = {
    ...UNUSED_INVOICE_FIELDS,
    auto_advance: facts.isAdvancing ?? true,
    description: facts.description ?? null,
    metadata: facts.metadata ?? {},
    id,
    object: 'invoice',
    amount_due: Math.max(0, total),
    amount_paid: total - balance,
    amount_remaining: Math.max(0, balance),
    attempt_count: facts.attempts,
    attempted: facts.attempts > 0,
    automatically_finalizes_at: facts.draftUntil ?? null,
    billing_reason: facts.reason ?? 'manual',
    created,
    currency,
    customer,
    default_tax_rates: [...defaults],
    effective_at: isDraft ? null : created,
    hosted_invoice_url: isDraft ? null : hostedInvoiceUrl(provider, id),
    invoice_pdf: null,
    lines: {
      object: 'list',
      has_more: false,
      url: `/v1/invoices/${id}/lines`,
      data: lines,
    },
    number: id,
    parent: facts.subscription
      ? { quote_details: null, subscription_details: { metadata, subscription: facts.subscription }, type: 'subscription_details' }
      : null,
    period_end: created,
    period_start: created,
    status: isDraft ? 'draft' : isPaid ? 'paid' : 'open',
    status_transitions: {
      finalized_at: isDraft ? null : created,
      marked_uncollectible_at: null,
      paid_at: isPaid && !isDraft ? created : null,
      voided_at: null,
    },
    ...sums,
  }
  provider.invoices.set(id, invoice)
  return invoice
}

/**
 * The rates of a line: its own, or else those of its invoice. A proration has only its own, since the credited time may have been billed
 * without tax.
 */
function chooseRates({ taxRates, item, pendingItem }: InvoiceLine, defaults: readonly Stripe.TaxRate[]): readonly Stripe.TaxRate[] {
  const own = taxRates ?? item?.tax_rates ?? pendingItem?.tax_rates ?? []
  return own.length > 0 || pendingItem?.proration ? own : defaults
}

/** Gives a draft the default rates. Lines with their own rates keep them. */
export function changeDefaultRates(provider: Provider, draft: Stripe.Invoice, defaults: Stripe.TaxRate[]): Stripe.Invoice {
  const exemption = findExemption(provider, typeof draft.customer === 'string' ? draft.customer : null)
  const subscription = provider.subscriptions.get(String(draft.parent?.subscription_details?.subscription))
  const data = draft.lines.data.map((line) => {
    const pendingItem = provider.invoiceItems.get(String(line.parent?.invoice_item_details?.invoice_item))
    const item = subscription?.items.data.find(({ id }) => id === line.parent?.subscription_item_details?.subscription_item)
    const rates = chooseRates({ label: '', amount: line.amount, item, pendingItem }, defaults)
    return { ...line, taxes: buildLineTaxes(line.amount, rates, exemption) }
  })
  const sums = sumInvoice(data)
  const due = Math.max(0, sums.total)
  const lines = { ...draft.lines, data }
  return { ...draft, ...sums, lines, default_tax_rates: defaults, amount_due: due, amount_remaining: due }
}

export const hostedInvoiceUrl = ({ origin }: Provider, id: string) => `${origin}${PAGES_PATH}/invoice/${id}`

export function markPaid(provider: Provider, invoice: Stripe.Invoice): Stripe.Invoice {
  const paid: Stripe.Invoice = {
    ...invoice,
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    attempt_count: invoice.attempt_count + 1,
    attempted: true,
    next_payment_attempt: null,
    status: 'paid',
    status_transitions: { ...invoice.status_transitions, paid_at: nowInSeconds(provider) },
  }
  provider.invoices.set(invoice.id, paid)
  return paid
}

type LineOwner = Pick<Stripe.InvoiceLineItem, 'currency' | 'metadata'> & { invoice: string; created: number; subscription: string | null }

const buildInvoiceLine = (
  { invoice, created, currency, subscription, metadata }: LineOwner,
  { label, amount, item, pendingItem, quantity = pendingItem?.quantity ?? 1 }: InvoiceLine,
  index: number,
): Stripe.InvoiceLineItem => ({
  id: `il_${invoice}_${index}`,
  object: 'line_item',
  amount,
  currency,
  description: label,
  discount_amounts: null,
  discountable: false,
  discounts: [],
  invoice,
  livemode: false,
  metadata: item ? metadata : (pendingItem?.metadata ?? {}),
  parent: item
    ? {
        invoice_item_details: null,
        subscription_item_details: {
          invoice_item: null,
          proration: false,
          proration_details: null,
          subscription,
          subscription_item: item.id,
        },
        type: 'subscription_item_details',
      }
    : pendingItem
      ? {
          invoice_item_details: {
            invoice_item: pendingItem.id,
            proration: pendingItem.proration,
            proration_details: null,
            subscription: pendingItem.parent?.subscription_details ? subscription : null,
          },
          subscription_item_details: null,
          type: 'invoice_item_details',
        }
      : null,
  period: pendingItem?.period ?? { start: item?.current_period_start ?? created, end: item?.current_period_end ?? created },
  pretax_credit_amounts: null,
  pricing: item
    ? {
        price_details: { price: item.price.id, product: String(item.price.product) },
        type: 'price_details',
        unit_amount_decimal: null,
      }
    : (pendingItem?.pricing ?? null),
  quantity,
  quantity_decimal: null,
  subscription,
  subtotal: amount,
  taxes: [],
})

/** Properties of the SDK's type that the portal never uses. */
const UNUSED_INVOICE_FIELDS = {
  account_country: null,
  account_name: null,
  account_tax_ids: null,
  amount_overpaid: 0,
  amount_shipping: 0,
  application: null,
  auto_advance: true,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
  collection_method: 'charge_automatically',
  custom_fields: null,
  customer_account: null,
  customer_address: null,
  customer_email: null,
  customer_name: null,
  customer_phone: null,
  customer_shipping: null,
  customer_tax_exempt: null,
  customer_tax_ids: [],
  default_payment_method: null,
  default_source: null,
  description: null,
  discounts: [],
  due_date: null,
  ending_balance: null,
  footer: null,
  from_invoice: null,
  issuer: { type: 'self' },
  last_finalization_error: null,
  latest_revision: null,
  livemode: false,
  metadata: {},
  next_payment_attempt: null,
  on_behalf_of: null,
  payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
  post_payment_credit_notes_amount: 0,
  pre_payment_credit_notes_amount: 0,
  receipt_number: null,
  rendering: null,
  shipping_cost: null,
  shipping_details: null,
  starting_balance: 0,
  statement_descriptor: null,
  test_clock: null,
  total_discount_amounts: [],
  total_pretax_credit_amounts: [],
  webhooks_delivered_at: null,
} satisfies Partial<Stripe.Invoice>
