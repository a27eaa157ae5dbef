import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { INTERVALS, LANGUAGES, TAX_BEHAVIORS } from '#contracts/lib/constants.ts'
import { Bool, Int, Metadata, missingObject, Pagination } from '#server/mock/stripe/api/endpoint.ts'
import { createId, nowInSeconds, PAGES_PATH, type Provider } from '#server/mock/stripe/api/provider.ts'
import { buildPrice, saveProduct } from '#server/mock/stripe/billing/catalogue.ts'

const Link = z.url({ protocol: /^https?$/, error: 'Not a valid URL' })

const PriceData = z.strictObject({
  currency: z.string().check(z.regex(/^[a-z]{3}$/)),
  unit_amount: Int,
  tax_behavior: z.optional(z.enum(TAX_BEHAVIORS)),
  recurring: z.optional(z.strictObject({ interval: z.enum(INTERVALS), interval_count: z.optional(Int) })),
  product: z.optional(z.string()),
  product_data: z.optional(z.strictObject({ name: z.string().check(z.minLength(1)), metadata: z.optional(Metadata) })),
})

/** The part of Stripe's parameters that the portal uses: purchases with inline prices. Others are rejected. */
export const CheckoutInput = z.strictObject({
  mode: z.enum(['payment', 'subscription']),
  success_url: Link,
  cancel_url: z.optional(Link),
  customer: z.optional(z.string()),
  client_reference_id: z.optional(z.string().check(z.maxLength(200))),
  locale: z.optional(z.enum(['auto', ...LANGUAGES])),
  metadata: z.optional(Metadata),
  subscription_data: z.optional(
    z.strictObject({ metadata: z.optional(Metadata), description: z.optional(z.string().check(z.maxLength(500))) }),
  ),
  invoice_creation: z.optional(z.strictObject({ enabled: Bool })),
  custom_text: z.optional(z.strictObject({ submit: z.strictObject({ message: z.string().check(z.minLength(1), z.maxLength(1200)) }) })),
  line_items: z.array(z.strictObject({ quantity: Int, price_data: PriceData })).check(z.minLength(1), z.maxLength(100)),
})
export type CheckoutInput = z.infer<typeof CheckoutInput>

export const CheckoutSessionQuery = z.strictObject({
  ...Pagination,
  customer: z.optional(z.string()),
  status: z.optional(z.enum(['open', 'complete', 'expired'])),
})

const DAY_SECONDS = 86_400

export function buildLineItems(provider: Provider, { line_items }: CheckoutInput): Stripe.LineItem[] {
  return line_items.map(({ quantity, price_data }) => {
    const amount = price_data.unit_amount * quantity
    const product = resolveProduct(provider, price_data)
    return {
      id: createId(provider, 'li'),
      object: 'item',
      adjustable_quantity: null,
      amount_discount: 0,
      amount_subtotal: amount,
      amount_tax: 0,
      amount_total: amount,
      currency: price_data.currency,
      description: product.name,
      metadata: null,
      price: buildPrice({
        id: createId(provider, 'price'),
        created: nowInSeconds(provider),
        currency: price_data.currency,
        amount: price_data.unit_amount,
        taxBehavior: price_data.tax_behavior ?? null,
        product: product.id,
        recurring: price_data.recurring
          ? { interval: price_data.recurring.interval, count: price_data.recurring.interval_count ?? 1 }
          : null,
      }),
      quantity,
    }
  })
}

/** The catalogue product, or a new one from inline `product_data`. */
function resolveProduct(provider: Provider, { product, product_data }: CheckoutInput['line_items'][number]['price_data']) {
  if (product_data) return saveProduct(provider, product_data)
  const known = provider.products.get(product ?? '')
  if (!known) throw missingObject('product', product ?? '', 'line_items[0][price_data][product]', 400)
  return known
}

export function buildCheckoutSession(provider: Provider, input: CheckoutInput, lines: readonly Stripe.LineItem[]): Stripe.Checkout.Session {
  const id = createId(provider, 'cs')
  const total = lines.reduce((sum, line) => sum + line.amount_total, 0)
  const created = nowInSeconds(provider)
  return {
    ...UNUSED_SESSION_FIELDS,
    id,
    object: 'checkout.session',
    amount_subtotal: total,
    amount_total: total,
    cancel_url: input.cancel_url ?? null,
    client_reference_id: input.client_reference_id ?? null,
    created,
    currency: lines[0]!.currency,
    custom_text: { ...NO_CUSTOM_TEXT, submit: input.custom_text?.submit ?? null },
    customer: input.customer ?? null,
    expires_at: created + DAY_SECONDS,
    invoice_creation: input.invoice_creation ? { enabled: input.invoice_creation.enabled, invoice_data: PLAIN_INVOICE_DATA } : null,
    livemode: false,
    locale: input.locale ?? null,
    metadata: input.metadata ?? {},
    mode: input.mode,
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    status: 'open',
    success_url: input.success_url,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
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
  customer_email: null,
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
