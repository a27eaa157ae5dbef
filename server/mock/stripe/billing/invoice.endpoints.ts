import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { chargeError } from '#server/mock/stripe/api/cards.ts'
import { buildInvoicePayment, endpoint, missingObject, Problem } from '#server/mock/stripe/api/endpoint.ts'
import { recordEvent } from '#server/mock/stripe/api/events.ts'
import { Created, isCreatedWithin, Pagination, paginate, searchEndpoint } from '#server/mock/stripe/api/lists.ts'
import { Bool, Currency, Int, limitAmount, Metadata, mergeMetadata, NoInput, Text } from '#server/mock/stripe/api/parameters.ts'
import { createId, findCustomer, nowInSeconds, type Provider } from '#server/mock/stripe/api/provider.ts'
import { changeDefaultRates, saveInvoice } from './invoice.ts'
import { attemptCharge, ensurePayment, finalizeInvoice, markUncollectible, voidInvoice } from './invoice-payments.ts'
import { resolveTaxRates, TaxRateIds, TaxRateIdsOrNone } from './tax-rates.ts'

const INVOICES_PATH = '/v1/invoices'
const ITEMS_PATH = '/v1/invoiceitems'
const PAYMENTS_PATH = '/v1/invoice_payments'
const InvoicePaymentInput = z.strictObject({ payment_method: z.optional(z.string()) })
const InvoiceQuery = z.strictObject({
  ...Pagination,
  created: Created,
  customer: z.optional(z.string()),
  subscription: z.optional(z.string()),
  status: z.optional(z.enum(['draft', 'open', 'paid', 'uncollectible', 'void'])),
})
const NewInvoice = z.strictObject({
  customer: z.string(),
  auto_advance: z.optional(Bool),
  collection_method: z.optional(z.literal('charge_automatically')),
  currency: z.optional(Currency),
  default_tax_rates: z.optional(TaxRateIds),
  description: z.optional(Text),
  metadata: z.optional(Metadata),
  pending_invoice_items_behavior: z.optional(z.enum(['include', 'exclude'])),
})
const InvoiceChange = z.strictObject({
  default_tax_rates: z.optional(TaxRateIdsOrNone),
  description: z.optional(Text),
  metadata: z.optional(Metadata),
})
const Finalization = z.strictObject({ auto_advance: z.optional(Bool) })
const NewItem = z
  .strictObject({
    customer: z.string(),
    amount: Int,
    currency: Currency,
    description: z.optional(Text),
    invoice: z.optional(z.string()),
    metadata: z.optional(Metadata),
    tax_rates: z.optional(TaxRateIds),
  })
  .check(limitAmount('amount'))
const ItemQuery = z.strictObject({
  ...Pagination,
  customer: z.optional(z.string()),
  invoice: z.optional(z.string()),
  pending: z.optional(Bool),
})
const PaymentQuery = z.strictObject({ ...Pagination, invoice: z.optional(z.string()) })

export const invoiceEndpoints = [
  searchEndpoint(INVOICES_PATH, ({ invoices }) => invoices.values()),
  endpoint('GET', INVOICES_PATH, InvoiceQuery, ({ invoices }, { created, customer, subscription, status, ...paging }) => {
    const found = [...invoices.values()].filter(
      (one) =>
        (!customer || one.customer === customer) &&
        (!status || one.status === status) &&
        (!subscription || one.parent?.subscription_details?.subscription === subscription) &&
        isCreatedWithin(one, created),
    )
    return paginate(found, paging, INVOICES_PATH)
  }),
  endpoint('POST', INVOICES_PATH, NewInvoice, (provider, { customer, pending_invoice_items_behavior, ...facts }) => {
    if (!findCustomer(provider, customer)) throw missingObject('customer', customer, 'customer', 400)
    const created = nowInSeconds(provider)
    const taxRates = resolveTaxRates(provider, facts.default_tax_rates, 'default_tax_rates')
    const pending = pending_invoice_items_behavior === 'include' ? listItems(provider, { customer, pending: true }) : []
    const invoice = saveInvoice(provider, {
      customer,
      created,
      currency: facts.currency ?? pending[0]?.currency ?? 'usd',
      draftUntil: facts.auto_advance ? created + HOUR_SECONDS : null,
      isAdvancing: facts.auto_advance ?? false,
      description: facts.description ?? null,
      metadata: mergeMetadata({}, facts.metadata),
      attempts: 0,
      taxRates,
      lines: [],
    })
    for (const item of pending) provider.invoiceItems.set(item.id, { ...item, invoice: invoice.id })
    recordEvent(provider, 'invoice.created', invoice)
    return addItems(provider, invoice)
  }),
  endpoint('POST', `${INVOICES_PATH}/:id/finalize`, Finalization, (provider, { auto_advance }, id) => {
    const draft = getInvoice(provider, id)
    if (draft.status !== 'draft') throw new Problem('This invoice is already finalized, you can only finalize a draft invoice.')
    const isAdvancing = auto_advance ?? draft.auto_advance ?? false
    const now = nowInSeconds(provider)
    const next_payment_attempt = isAdvancing ? now + HOUR_SECONDS : null
    return finalizeInvoice(provider, { ...draft, auto_advance: isAdvancing, next_payment_attempt }, now)
  }),
  endpoint('POST', `${INVOICES_PATH}/:id/mark_uncollectible`, NoInput, (provider, _, id) => {
    const invoice = getInvoice(provider, id)
    if (invoice.status !== 'open') throw new Problem('You can only pass in open invoices.')
    return markUncollectible(provider, invoice)
  }),
  endpoint('GET', `${INVOICES_PATH}/:id/lines`, NoInput, (provider, _, id) => getInvoice(provider, id).lines),
  endpoint('GET', `${INVOICES_PATH}/:id`, NoInput, (provider, _, id) => {
    const invoice = getInvoice(provider, id)
    ensurePayment(provider, invoice)
    return invoice
  }),
  endpoint('POST', `${INVOICES_PATH}/:id`, InvoiceChange, (provider, { metadata, default_tax_rates, ...change }, id) => {
    const invoice = getInvoice(provider, id)
    const known = invoice.default_tax_rates
    const rates = default_tax_rates === undefined ? undefined : resolveTaxRates(provider, default_tax_rates, 'default_tax_rates', known)
    if (rates && invoice.status !== 'draft')
      throw new Problem('The tax rates of an invoice can only be changed while it is a draft.', {
        code: 'invoice_not_editable',
        param: 'default_tax_rates',
      })
    const taxed = rates ? changeDefaultRates(provider, invoice, rates) : invoice
    const changed: Stripe.Invoice = { ...taxed, ...change, metadata: mergeMetadata(invoice.metadata, metadata) }
    provider.invoices.set(id, changed)
    recordEvent(provider, 'invoice.updated', changed, invoice)
    return changed
  }),
  endpoint('POST', `${INVOICES_PATH}/:id/pay`, InvoicePaymentInput, (provider, { payment_method }, id) => {
    const invoice = getInvoice(provider, id)
    if (invoice.status === 'paid') throw new Problem('Invoice is already paid')
    if (invoice.status !== 'open') throw new Problem('Only open invoices can be paid.')
    const { fault, invoice: tried } = attemptCharge(provider, invoice, getPaymentMethod(provider, invoice, payment_method), {
      isAutomatic: false,
    })
    if (fault) throw chargeError(fault)
    return tried
  }),
  endpoint('POST', `${INVOICES_PATH}/:id/void`, NoInput, (provider, _, id) => {
    const invoice = getInvoice(provider, id)
    if (invoice.status !== 'open' && invoice.status !== 'uncollectible') throw new Problem('You can only pass in open invoices.')
    return voidInvoice(provider, invoice)
  }),
]

/** Items that an invoice will charge; pending ones wait for their customer's next invoice. */
export const invoiceItemEndpoints = [
  endpoint('POST', ITEMS_PATH, NewItem, (provider, { customer, amount, currency, invoice = null, ...facts }) => {
    if (!findCustomer(provider, customer)) throw missingObject('customer', customer, 'customer', 400)
    const draft = invoice === null ? undefined : getInvoice(provider, invoice, 400)
    if (draft && draft.status !== 'draft') throw new Problem('The invoice is no longer editable.', { code: 'invoice_not_editable' })
    if (draft && draft.customer !== customer)
      throw new Problem('The customer of the invoice item is not the customer of the invoice.', { param: 'customer' })
    if (draft?.lines.data.some((line) => line.currency !== currency))
      throw new Problem(`The invoice has items in another currency than ${currency}.`, { param: 'currency' })
    const now = nowInSeconds(provider)
    const item = {
      ...UNUSED_ITEM_FIELDS,
      id: createId(provider, 'ii'),
      object: 'invoiceitem',
      amount,
      currency,
      customer,
      date: now,
      description: facts.description ?? null,
      invoice,
      metadata: mergeMetadata({}, facts.metadata),
      tax_rates: resolveTaxRates(provider, facts.tax_rates, 'tax_rates'),
      period: { start: now, end: now },
    } as Stripe.InvoiceItem
    provider.invoiceItems.set(item.id, item)
    if (draft) addItems(provider, draft)
    recordEvent(provider, 'invoiceitem.created', item)
    return item
  }),
  endpoint('GET', ITEMS_PATH, ItemQuery, (provider, { customer, invoice, pending, ...paging }) => {
    const found = listItems(provider, { customer, invoice, pending }).map((item) => ({ ...item, created: item.date }))
    return paginate(found, paging, ITEMS_PATH)
  }),
  endpoint('GET', PAYMENTS_PATH, PaymentQuery, ({ invoices, invoicePayments }, { invoice, ...paging }) => {
    const paid = [...invoicePayments].filter(([id]) => !invoice || id === invoice)
    const found = paid.map(([id, payment_intent]) => buildInvoicePayment(invoices.get(id)!, payment_intent))
    return paginate(found, paging, PAYMENTS_PATH)
  }),
]

const HOUR_SECONDS = 3600

type ItemFilter = { customer?: string | undefined; invoice?: string | undefined; pending?: boolean | undefined }

const listItems = ({ invoiceItems }: Provider, { customer, invoice, pending }: ItemFilter) =>
  [...invoiceItems.values()].filter(
    (one) =>
      (!customer || one.customer === customer) &&
      (!invoice || one.invoice === invoice) &&
      (pending === undefined || (one.invoice === null) === pending),
  )

/** Computes the lines and totals of a draft from its items. */
function addItems(provider: Provider, draft: Stripe.Invoice): Stripe.Invoice {
  const items = listItems(provider, { invoice: draft.id })
  return saveInvoice(provider, {
    id: draft.id,
    customer: String(draft.customer),
    created: draft.created,
    currency: items[0]?.currency ?? draft.currency,
    draftUntil: draft.automatically_finalizes_at,
    isAdvancing: draft.auto_advance ?? false,
    description: draft.description,
    metadata: draft.metadata ?? {},
    attempts: 0,
    taxRates: draft.default_tax_rates,
    lines: items.map((pendingItem) => ({ label: pendingItem.description ?? '', amount: pendingItem.amount, pendingItem })),
  })
}

const UNUSED_ITEM_FIELDS: Partial<Stripe.InvoiceItem> = {
  customer_account: null,
  discountable: true,
  discounts: [],
  livemode: false,
  parent: null,
  pricing: null,
  proration: false,
  quantity: 1,
  test_clock: null,
}

const getInvoice = ({ invoices }: Provider, id: string, status = 404) => {
  const invoice = invoices.get(id)
  if (!invoice) throw missingObject('invoice', id, 'invoice', status)
  return invoice
}

/** The requested card, or else the customer's default card. */
function getPaymentMethod(provider: Provider, { customer }: Stripe.Invoice, requestedId: string | undefined) {
  const owner = typeof customer === 'string' ? findCustomer(provider, customer) : undefined
  const id = requestedId ?? owner?.invoice_settings.default_payment_method
  if (typeof id !== 'string')
    throw new Problem(
      'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
      { code: 'resource_missing' },
    )
  const method = provider.methods.get(id)
  if (!method || method.customer !== customer) throw missingObject('PaymentMethod', id, 'payment_method', 400)
  return method
}
