import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { missingObject, Problem, refuseBoth } from '#server/mock/stripe/api/endpoint.ts'
import { Created, Pagination } from '#server/mock/stripe/api/lists.ts'
import { Bool, Currency, Int, Link, limitAmount, Metadata, mergeMetadata, Text, UnitAmount } from '#server/mock/stripe/api/parameters.ts'
import { createId, nowInSeconds, PAGES_PATH, type Provider } from '#server/mock/stripe/api/provider.ts'
import { buildPrice, saveProduct } from '#server/mock/stripe/billing/catalogue.ts'
import { computeTaxes, findExemption, sumTaxes } from '#server/mock/stripe/billing/tax.ts'
import { resolveTaxRates, TaxRateIds } from '#server/mock/stripe/billing/tax-rates.ts'
import { INTERVALS, LANGUAGES, TAX_BEHAVIORS } from '#server/mock/stripe/port.ts'

const PriceData = z
  .strictObject({
    currency: Currency,
    unit_amount: UnitAmount,
    tax_behavior: z.optional(z.enum(TAX_BEHAVIORS)),
    recurring: z.optional(z.strictObject({ interval: z.enum(INTERVALS), interval_count: z.optional(Int) })),
    product: z.optional(z.string()),
    product_data: z.optional(z.strictObject({ name: z.string().check(z.minLength(1)), metadata: z.optional(Metadata) })),
  })
  .check(limitAmount('unit_amount'))

/** The supported part of Stripe's parameters: purchases by card. Others are rejected. */
export const CheckoutInput = z.strictObject({
  mode: z.enum(['payment', 'subscription']),
  success_url: Link,
  cancel_url: z.optional(Link),
  customer: z.optional(z.string()),
  customer_email: z.optional(z.email()),
  client_reference_id: z.optional(z.string().check(z.maxLength(200))),
  locale: z.optional(z.enum(['auto', ...LANGUAGES])),
  metadata: z.optional(Metadata),
  subscription_data: z.optional(
    z.strictObject({ metadata: z.optional(Metadata), description: z.optional(z.string().check(z.maxLength(500))) }),
  ),
  payment_intent_data: z.optional(z.strictObject({ metadata: z.optional(Metadata), description: z.optional(Text) })),
  payment_method_types: z.optional(z.array(z.literal('card'))),
  invoice_creation: z.optional(z.strictObject({ enabled: Bool })),
  custom_text: z.optional(z.strictObject({ submit: z.strictObject({ message: z.string().check(z.minLength(1), z.maxLength(1200)) }) })),
  line_items: z
    .array(
      z.strictObject({
        quantity: Int,
        price: z.optional(z.string()),
        price_data: z.optional(PriceData),
        tax_rates: z.optional(TaxRateIds),
      }),
    )
    .check(z.minLength(1), z.maxLength(100)),
})
export type CheckoutInput = z.infer<typeof CheckoutInput>

export const CheckoutSessionQuery = z.strictObject({
  ...Pagination,
  created: Created,
  customer: z.optional(z.string()),
  payment_intent: z.optional(z.string()),
  subscription: z.optional(z.string()),
  status: z.optional(z.enum(['open', 'complete', 'expired'])),
})

const DAY_SECONDS = 86_400

export function buildLineItems(provider: Provider, { line_items, customer }: CheckoutInput): Stripe.LineItem[] {
  const exemption = findExemption(provider, customer ?? null)
  return line_items.map((line, index) => {
    const price = resolvePrice(provider, line, index)
    const amount = (price.unit_amount ?? 0) * line.quantity
    const rates = resolveTaxRates(provider, line.tax_rates, `line_items[${index}][tax_rates]`)
    const shares = computeTaxes(amount, rates, exemption)
    return {
      id: createId(provider, 'li'),
      object: 'item',
      adjustable_quantity: null,
      amount_discount: 0,
      amount_subtotal: amount,
      amount_tax: sumTaxes(shares),
      amount_total: amount + sumTaxes(shares, false),
      currency: price.currency,
      description: provider.products.get(String(price.product))?.name ?? null,
      metadata: null,
      price,
      quantity: line.quantity,
      taxes: shares.map(({ rate, amount: tax, taxable }) => ({ amount: tax, rate, taxability_reason: null, taxable_amount: taxable })),
    }
  })
}

/** The price of the catalogue, or a new one from inline `price_data`. */
function resolvePrice(provider: Provider, line: CheckoutInput['line_items'][number], index: number) {
  const { price: id, price_data } = line
  refuseBoth(line, ['price', 'price_data'], ['line_items', index])
  if (!price_data) {
    const known = provider.prices.get(id ?? '')
    if (!known) throw missingObject('price', id ?? '', `line_items[${index}][price]`, 400)
    if (!known.active)
      throw new Problem('The price specified is inactive. This field only accepts active prices.', { param: `line_items[${index}][price]` })
    return known
  }
  const { recurring } = price_data
  return buildPrice({
    id: createId(provider, 'price'),
    created: nowInSeconds(provider),
    currency: price_data.currency,
    amount: price_data.unit_amount,
    taxBehavior: price_data.tax_behavior ?? null,
    product: resolveProduct(provider, price_data, index).id,
    recurring: recurring ? { interval: recurring.interval, count: recurring.interval_count ?? 1 } : null,
  })
}

/** The catalogue product, or a new one from inline `product_data`. */
function resolveProduct(provider: Provider, data: z.infer<typeof PriceData>, index: number) {
  const { product, product_data } = data
  refuseBoth(data, ['product', 'product_data'], ['line_items', index, 'price_data'])
  if (product_data) return saveProduct(provider, { name: product_data.name, metadata: mergeMetadata({}, product_data.metadata) })
  const known = provider.products.get(product ?? '')
  if (!known) throw missingObject('product', product ?? '', `line_items[${index}][price_data][product]`, 400)
  return known
}

export function buildCheckoutSession(provider: Provider, input: CheckoutInput, lines: readonly Stripe.LineItem[]): Stripe.Checkout.Session {
  const id = createId(provider, 'cs')
  const sum = (name: 'amount_subtotal' | 'amount_tax' | 'amount_total') => lines.reduce((total, line) => total + line[name], 0)
  const created = nowInSeconds(provider)
  return {
    ...UNUSED_SESSION_FIELDS,
    id,
    object: 'checkout.session',
    amount_subtotal: sum('amount_subtotal'),
    amount_total: sum('amount_total'),
    cancel_url: input.cancel_url ?? null,
    client_reference_id: input.client_reference_id ?? null,
    created,
    currency: lines[0]!.currency,
    custom_text: { ...NO_CUSTOM_TEXT, submit: input.custom_text?.submit ?? null },
    customer: input.customer ?? null,
    customer_email: input.customer_email ?? null,
    expires_at: created + DAY_SECONDS,
    invoice_creation: input.invoice_creation ? { enabled: input.invoice_creation.enabled, invoice_data: PLAIN_INVOICE_DATA } : null,
    livemode: false,
    locale: input.locale ?? null,
    metadata: mergeMetadata({}, input.metadata),
    mode: input.mode,
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    status: 'open',
    success_url: input.success_url,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: sum('amount_tax') },
    url: `${provider.origin}${PAGES_PATH}/checkout/${id}`,
  }
}

const PLAIN_INVOICE_DATA = {
  account_tax_ids: null,
  custom_fields: null,
  description: null,
  footer: null,
  issuer: null,
  metadata: {},
  rendering_options: null,
}

const NO_CUSTOM_TEXT = { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null }

/** Properties of the SDK's type that the portal never uses. */
const UNUSED_SESSION_FIELDS = {
  adaptive_pricing: null,
  after_expiration: null,
  allow_promotion_codes: null,
  allowed_payment_method_types: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  billing_address_collection: null,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  custom_text: NO_CUSTOM_TEXT,
  customer_account: null,
  customer_creation: null,
  customer_details: null,
  discounts: null,
  integration_identifier: null,
  invoice: null,
  invoice_creation: null,
  managed_payments: null,
  origin_context: null,
  payment_intent: null,
  payment_link: null,
  payment_method_collection: null,
  payment_method_configuration_details: null,
  payment_method_options: null,
  permissions: null,
  phone_number_collection: { enabled: false },
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  submit_type: null,
  subscription: null,
  ui_mode: null,
  wallet_options: null,
} satisfies Partial<Stripe.Checkout.Session>
