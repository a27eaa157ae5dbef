import { expect, test } from 'vitest'
import { stripeEndpoints } from '#server/mock/stripe/stripe-fetch.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { createStripeServer } from './stripe-server.ts'

type Row = {
  /** Method and path; `{name}` is the id of an object that an earlier row has saved. */
  call: string
  form?: string
  has: object
  /** The name under which the id is saved; for a list, that of its first object. */
  as?: string
}

/** One shop from its first product to the deletion of its customers, through every call of the fake. */
const rows: Row[] = [
  {
    call: 'POST /v1/products',
    form: 'name=Tracker&description=For dogs&metadata[kind]=dog',
    has: { object: 'product', active: true, description: 'For dogs', metadata: { kind: 'dog' } },
    as: 'product',
  },
  {
    call: 'POST /v1/products',
    form: 'name=Empty',
    has: { object: 'product', default_price: null, unit_label: null, statement_descriptor: null },
    as: 'empty',
  },
  {
    call: 'GET /v1/products',
    form: 'active=true',
    has: { object: 'list', url: '/v1/products', has_more: false },
  },
  {
    call: 'GET /v1/products/search',
    form: "query=metadata['kind']:'dog'",
    has: { object: 'search_result', data: [{ name: 'Tracker' }] },
  },
  {
    call: 'GET /v1/products/{product}',
    has: { name: 'Tracker' },
  },
  {
    call: 'POST /v1/products/{product}',
    form: 'unit_label=piece&metadata[kind]=',
    has: { unit_label: 'piece', metadata: {} },
  },
  {
    call: 'DELETE /v1/products/{empty}',
    has: { object: 'product', deleted: true },
  },
  {
    call: 'POST /v1/prices',
    form: 'product={product}&currency=eur&unit_amount=1500&recurring[interval]=month&nickname=Monthly',
    has: { object: 'price', type: 'recurring', nickname: 'Monthly', recurring: { interval: 'month', interval_count: 1 } },
    as: 'monthly',
  },
  {
    call: 'POST /v1/prices',
    form: 'currency=eur&unit_amount=990&product_data[name]=Belt&lookup_key=belt',
    has: { type: 'one_time', unit_amount: 990, lookup_key: 'belt' },
    as: 'once',
  },
  {
    call: 'GET /v1/prices',
    form: 'type=one_time',
    has: { object: 'list', data: [{ lookup_key: 'belt' }] },
  },
  {
    call: 'GET /v1/prices/search',
    form: 'query=unit_amount>1000',
    has: { object: 'search_result', data: [{ nickname: 'Monthly' }] },
  },
  {
    call: 'GET /v1/prices/{monthly}',
    form: 'expand[]=product',
    has: { product: { name: 'Tracker' } },
  },
  {
    call: 'POST /v1/prices/{once}',
    form: 'active=false',
    has: { active: false },
  },
  {
    call: 'POST /v1/tax_rates',
    form: 'display_name=VAT&inclusive=false&percentage=7.7&country=CH&jurisdiction=CH&description=Swiss VAT',
    has: { object: 'tax_rate', active: true, percentage: 7.7, inclusive: false, country: 'CH', description: 'Swiss VAT', metadata: {} },
    as: 'rate',
  },
  {
    call: 'GET /v1/tax_rates',
    form: 'active=true&inclusive=false',
    has: { object: 'list', url: '/v1/tax_rates', data: [{ display_name: 'VAT' }] },
  },
  {
    call: 'GET /v1/tax_rates/{rate}',
    has: { jurisdiction: 'CH' },
  },
  {
    call: 'POST /v1/tax_rates/{rate}',
    form: 'active=false&metadata[until]=2023',
    has: { active: false, metadata: { until: '2023' } },
  },
  {
    call: 'POST /v1/test_helpers/test_clocks',
    form: 'frozen_time=1772442000&name=Spring',
    has: { object: 'test_helpers.test_clock', status: 'ready', name: 'Spring' },
    as: 'clock',
  },
  {
    call: 'GET /v1/test_helpers/test_clocks',
    has: { object: 'list', data: [{ name: 'Spring' }] },
  },
  {
    call: 'GET /v1/test_helpers/test_clocks/{clock}',
    has: { frozen_time: 1772442000 },
  },
  {
    call: 'POST /v1/customers',
    form: 'name=Ada&email=ada@example.com&test_clock={clock}',
    has: { object: 'customer', name: 'Ada', delinquent: false },
    as: 'ada',
  },
  {
    call: 'POST /v1/customers',
    form: 'name=Bob&email=bob@example.com&phone=123&address[city]=Paris&preferred_locales[]=fr',
    has: { phone: '123', address: { city: 'Paris', country: null }, preferred_locales: ['fr'] },
    as: 'bob',
  },
  {
    call: 'GET /v1/customers',
    form: 'email=bob@example.com',
    has: { object: 'list', data: [{ name: 'Bob' }] },
  },
  {
    call: 'GET /v1/customers/search',
    form: 'query=email~"example"',
    has: { object: 'search_result', has_more: false, next_page: null },
  },
  {
    call: 'GET /v1/customers/{ada}',
    form: 'expand[]=test_clock',
    has: { test_clock: { name: 'Spring' } },
  },
  {
    call: 'POST /v1/payment_methods',
    form: 'type=card&card[token]=tok_amex&billing_details[name]=Ada',
    has: { object: 'payment_method', card: { brand: 'amex' }, billing_details: { name: 'Ada' }, customer: null },
    as: 'amex',
  },
  {
    call: 'POST /v1/payment_methods',
    form: 'type=card&card[number]=4242424242424242&card[exp_month]=3&card[exp_year]=2031',
    has: { card: { last4: '4242', exp_month: 3, exp_year: 2031 } },
    as: 'typed',
  },
  {
    call: 'POST /v1/payment_methods/pm_card_visa/attach',
    form: 'customer={ada}',
    has: { object: 'payment_method', type: 'card' },
    as: 'visa',
  },
  {
    call: 'POST /v1/payment_methods/{typed}/attach',
    form: 'customer={bob}',
    has: { card: { exp_year: 2031 } },
  },
  {
    call: 'GET /v1/payment_methods',
    form: 'customer={bob}',
    has: { object: 'list', data: [{ card: { exp_year: 2031 } }] },
  },
  {
    call: 'GET /v1/payment_methods/{typed}',
    form: 'expand[]=customer',
    has: { customer: { name: 'Bob' } },
  },
  {
    call: 'POST /v1/payment_methods/{typed}',
    form: 'card[exp_year]=2033&billing_details[address][city]=Lyon',
    has: { card: { exp_year: 2033 }, billing_details: { address: { city: 'Lyon', line1: null } } },
  },
  {
    call: 'GET /v1/customers/{bob}/payment_methods',
    form: 'type=card',
    has: { object: 'list', url: expect.stringContaining('/payment_methods') },
  },
  {
    call: 'POST /v1/customers/{bob}',
    form: 'description=Pays late&invoice_settings[default_payment_method]={typed}&tax_exempt=exempt',
    has: { description: 'Pays late', tax_exempt: 'exempt' },
  },
  {
    call: 'POST /v1/customers/{ada}',
    form: 'invoice_settings[default_payment_method]={visa}&metadata[a]=1',
    has: { metadata: { a: '1' } },
  },
  {
    call: 'POST /v1/payment_intents',
    form: 'amount=700&currency=eur&customer={ada}&payment_method={visa}&description=Belt',
    has: { object: 'payment_intent', status: 'requires_confirmation', amount_received: 0 },
    as: 'intent',
  },
  {
    call: 'POST /v1/payment_intents/{intent}',
    form: 'amount=800&metadata[order]=7',
    has: { amount: 800, metadata: { order: '7' } },
  },
  {
    call: 'POST /v1/payment_intents/{intent}/confirm',
    form: 'receipt_email=ada@example.com',
    has: { status: 'succeeded', amount_received: 800, receipt_email: 'ada@example.com' },
  },
  {
    call: 'GET /v1/payment_intents',
    form: 'customer={ada}',
    has: { object: 'list', data: [{ amount: 800 }] },
  },
  {
    call: 'GET /v1/payment_intents/search',
    form: 'query=metadata["order"]:"7"',
    has: { object: 'search_result', data: [{ amount: 800 }] },
  },
  {
    call: 'GET /v1/payment_intents/{intent}',
    form: 'expand[]=latest_charge&expand[]=customer',
    has: { latest_charge: { object: 'charge', paid: true }, customer: { name: 'Ada' } },
  },
  {
    call: 'POST /v1/payment_intents',
    form: 'amount=500&currency=eur&payment_method=pm_card_visa&capture_method=manual&confirm=true',
    has: { status: 'requires_capture', amount_capturable: 500 },
    as: 'held',
  },
  {
    call: 'POST /v1/payment_intents/{held}/capture',
    form: 'amount_to_capture=400',
    has: { status: 'succeeded', amount_received: 400, amount_capturable: 0 },
  },
  {
    call: 'POST /v1/payment_intents',
    form: 'amount=300&currency=eur&automatic_payment_methods[enabled]=true',
    has: { status: 'requires_payment_method', automatic_payment_methods: { enabled: true } },
    as: 'left',
  },
  {
    call: 'POST /v1/payment_intents/{left}/cancel',
    form: 'cancellation_reason=abandoned',
    has: { status: 'canceled', cancellation_reason: 'abandoned' },
  },
  {
    call: 'GET /v1/charges',
    form: 'payment_intent={intent}',
    has: { object: 'list', data: [{ amount: 800, status: 'succeeded', outcome: { type: 'authorized' } }] },
    as: 'charges',
  },
  {
    call: 'GET /v1/charges/search',
    form: "query=amount<500 AND status:'succeeded'",
    has: { object: 'search_result', data: [] },
  },
  {
    call: 'GET /v1/charges/{charge}',
    form: 'expand[]=payment_intent',
    has: { payment_intent: { amount: 800 }, payment_method_details: { card: { last4: '4242' } } },
  },
  {
    call: 'POST /v1/charges/{charge}',
    form: 'description=Belt for Rex',
    has: { description: 'Belt for Rex' },
  },
  {
    call: 'POST /v1/refunds',
    form: 'charge={charge}&amount=300&reason=duplicate',
    has: { object: 'refund', amount: 300, reason: 'duplicate', status: 'succeeded' },
    as: 'refund',
  },
  {
    call: 'POST /v1/payment_intents',
    form: 'amount=900&currency=eur&payment_method=pm_card_createDispute&confirm=true&return_url=http://shop.test/',
    has: { status: 'succeeded' },
  },
  {
    call: 'GET /v1/disputes',
    has: { object: 'list', url: '/v1/disputes', data: [{ amount: 900, status: 'needs_response' }] },
    as: 'dispute',
  },
  {
    call: 'GET /v1/disputes/{dispute}',
    form: 'expand[]=charge',
    has: { object: 'dispute', charge: { amount: 900, disputed: true } },
  },
  {
    call: 'POST /v1/disputes/{dispute}',
    form: 'evidence[uncategorized_text]=winning_evidence&metadata[case]=7',
    has: { status: 'won', metadata: { case: '7' } },
  },
  {
    call: 'POST /v1/payment_intents',
    form: 'amount=400&currency=eur&payment_method=pm_card_createDisputeProductNotReceived&confirm=true',
    has: { status: 'succeeded' },
  },
  {
    call: 'GET /v1/disputes',
    form: 'limit=1',
    has: { data: [{ amount: 400, reason: 'product_not_received' }] },
    as: 'second_dispute',
  },
  {
    call: 'POST /v1/disputes/{second_dispute}/close',
    has: { status: 'lost' },
  },
  {
    call: 'GET /v1/refunds',
    form: 'payment_intent={intent}',
    has: { object: 'list', data: [{ amount: 300 }] },
  },
  {
    call: 'GET /v1/refunds/{refund}',
    form: 'expand[]=charge',
    has: { charge: { amount_refunded: 300, refunded: false } },
  },
  {
    call: 'POST /v1/refunds/{refund}',
    form: 'metadata[note]=late',
    has: { metadata: { note: 'late' } },
  },
  {
    call: 'POST /v1/setup_intents',
    form: 'customer={bob}&payment_method={amex}&usage=on_session',
    has: { object: 'setup_intent', status: 'requires_confirmation', usage: 'on_session' },
    as: 'setup',
  },
  {
    call: 'GET /v1/setup_intents',
    form: 'customer={bob}',
    has: { object: 'list', data: [{ usage: 'on_session' }] },
  },
  {
    call: 'POST /v1/setup_intents/{setup}/confirm',
    has: { status: 'succeeded', next_action: null },
  },
  {
    call: 'GET /v1/setup_intents/{setup}',
    form: 'expand[]=payment_method',
    has: { payment_method: { card: { brand: 'amex' } } },
  },
  {
    call: 'POST /v1/setup_intents',
    form: 'customer={bob}',
    has: { status: 'requires_payment_method' },
    as: 'unused',
  },
  {
    call: 'POST /v1/setup_intents/{unused}/cancel',
    has: { status: 'canceled' },
  },
  {
    call: 'POST /v1/payment_methods/{amex}/detach',
    has: { customer: null },
  },
  {
    call: 'POST /v1/subscriptions',
    form: 'customer={ada}&items[0][price]={monthly}&items[0][quantity]=2&description=Two trackers',
    has: { object: 'subscription', status: 'active', description: 'Two trackers', default_tax_rates: [] },
    as: 'subscription',
  },
  {
    call: 'GET /v1/subscriptions',
    form: 'customer={ada}&price={monthly}',
    has: { object: 'list', data: [{ status: 'active' }] },
  },
  {
    call: 'GET /v1/subscriptions/search',
    form: "query=status:'active'",
    has: { object: 'search_result', data: [{ description: 'Two trackers' }] },
  },
  {
    call: 'GET /v1/subscriptions/{subscription}',
    form: 'expand[]=latest_invoice',
    has: { latest_invoice: { amount_paid: 3000, status: 'paid' } },
  },
  {
    call: 'POST /v1/subscriptions/{subscription}',
    form: 'items[0][price_data][currency]=eur&items[0][price_data][unit_amount]=100&items[0][price_data][product]={product}&items[0][price_data][recurring][interval]=month&proration_behavior=none',
    has: { items: { data: [{ quantity: 2 }, { quantity: 1, price: { unit_amount: 100 } }] } },
  },
  {
    call: 'GET /v1/subscription_items',
    form: 'subscription={subscription}',
    has: { object: 'list', data: [{ object: 'subscription_item' }, { object: 'subscription_item' }] },
  },
  {
    call: 'DELETE /v1/subscription_items/{item}',
    form: 'proration_behavior=none',
    has: { deleted: true },
  },
  {
    call: 'POST /v1/test_helpers/test_clocks/{clock}/advance',
    form: 'frozen_time=1775206800',
    has: { status: 'ready', frozen_time: 1775206800 },
  },
  {
    call: 'GET /v1/invoices',
    form: 'subscription={subscription}',
    has: { object: 'list', data: [{ billing_reason: 'subscription_cycle' }, { billing_reason: 'subscription_create' }] },
  },
  {
    call: 'GET /v1/invoices/search',
    form: "query=billing_reason:'subscription_create'",
    has: { object: 'search_result', data: [{ amount_due: 3000 }] },
  },
  {
    call: 'POST /v1/invoices',
    form: 'customer={bob}&description=Repair',
    has: { object: 'invoice', status: 'draft', auto_advance: false, customer_tax_ids: [] },
    as: 'draft',
  },
  {
    call: 'POST /v1/invoiceitems',
    form: 'customer={bob}&invoice={draft}&amount=400&currency=eur&description=Battery',
    has: { object: 'invoiceitem', amount: 400 },
  },
  {
    call: 'GET /v1/invoiceitems',
    form: 'invoice={draft}&pending=false',
    has: { object: 'list', data: [{ description: 'Battery' }] },
  },
  {
    call: 'POST /v1/invoices/{draft}',
    form: 'metadata[number]=INV-1001',
    has: { status: 'draft', metadata: { number: 'INV-1001' } },
  },
  {
    call: 'POST /v1/invoices/{draft}/finalize',
    form: 'auto_advance=false',
    has: { status: 'open', amount_due: 400, currency: 'eur' },
  },
  {
    call: 'GET /v1/invoices/{draft}',
    form: 'expand[]=customer',
    has: { customer: { name: 'Bob' }, lines: { data: [{ amount: 400 }] } },
  },
  {
    call: 'GET /v1/invoices/{draft}/lines',
    has: { object: 'list', data: [{ description: 'Battery' }] },
  },
  {
    call: 'POST /v1/invoices/{draft}/mark_uncollectible',
    has: { status: 'uncollectible' },
  },
  {
    call: 'POST /v1/invoices/{draft}/void',
    has: { status: 'void' },
  },
  {
    call: 'POST /v1/invoices',
    form: 'customer={bob}',
    has: { status: 'draft' },
    as: 'second',
  },
  {
    call: 'POST /v1/invoiceitems',
    form: 'customer={bob}&invoice={second}&amount=600&currency=eur',
    has: { description: null },
  },
  {
    call: 'POST /v1/invoices/{second}/finalize',
    has: { status: 'open' },
  },
  {
    call: 'POST /v1/invoices/{second}/pay',
    form: 'payment_method={typed}',
    has: { status: 'paid', amount_paid: 600 },
  },
  {
    call: 'GET /v1/invoice_payments',
    form: 'invoice={second}',
    has: { object: 'list', data: [{ amount_paid: 600, status: 'paid', payment: { type: 'payment_intent' } }] },
  },
  {
    call: 'POST /v1/checkout/sessions',
    form: 'mode=subscription&success_url=http://shop.test/&customer={bob}&line_items[0][price]={monthly}&line_items[0][quantity]=1',
    has: { object: 'checkout.session', status: 'open', amount_total: 1500, phone_number_collection: { enabled: false } },
    as: 'session',
  },
  {
    call: 'GET /v1/checkout/sessions',
    form: 'status=open',
    has: { object: 'list', data: [{ amount_total: 1500 }] },
  },
  {
    call: 'GET /v1/checkout/sessions/{session}',
    form: 'expand[]=line_items',
    has: { line_items: { data: [{ amount_total: 1500, description: 'Tracker' }] } },
  },
  {
    call: 'GET /v1/checkout/sessions/{session}/line_items',
    has: { object: 'list', data: [{ quantity: 1 }] },
  },
  {
    call: 'POST /v1/checkout/sessions/{session}/expire',
    has: { status: 'expired', url: null },
  },
  {
    call: 'POST /v1/billing_portal/configurations',
    form: 'features[invoice_history][enabled]=true',
    has: { object: 'billing_portal.configuration', is_default: true },
  },
  {
    call: 'GET /v1/billing_portal/configurations',
    form: 'active=true',
    has: { object: 'list', data: [{ features: { invoice_history: { enabled: true } } }] },
  },
  {
    call: 'POST /v1/billing_portal/sessions',
    form: 'customer={bob}&return_url=http://shop.test/account',
    has: { object: 'billing_portal.session', return_url: 'http://shop.test/account' },
  },
  {
    call: 'GET /v1/events',
    form: 'type=invoice.voided',
    has: { object: 'list', data: [{ type: 'invoice.voided', data: { object: { status: 'void' } } }] },
    as: 'events',
  },
  {
    call: 'GET /v1/events/{event}',
    has: { object: 'event', type: 'invoice.voided', livemode: false },
  },
  {
    call: 'POST /v1/webhook_endpoints',
    form: 'url=http://shop.test/hook&enabled_events[]=*&description=Shop',
    has: { object: 'webhook_endpoint', status: 'enabled', enabled_events: ['*'] },
    as: 'hook',
  },
  {
    call: 'GET /v1/webhook_endpoints',
    has: { object: 'list', data: [{ description: 'Shop' }] },
  },
  {
    call: 'POST /v1/webhook_endpoints/{hook}',
    form: 'disabled=true',
    has: { status: 'disabled' },
  },
  {
    call: 'GET /v1/webhook_endpoints/{hook}',
    has: { url: 'http://shop.test/hook', status: 'disabled' },
  },
  {
    call: 'DELETE /v1/webhook_endpoints/{hook}',
    has: { deleted: true },
  },
  {
    call: 'DELETE /v1/subscriptions/{subscription}',
    has: { status: 'canceled' },
  },
  {
    call: 'DELETE /v1/customers/{bob}',
    has: { object: 'customer', deleted: true },
  },
  {
    call: 'DELETE /v1/test_helpers/test_clocks/{clock}',
    has: { deleted: true },
  },
]

type Refusal = { call: string; form?: string; status: number; code?: string; param?: string; message?: RegExp }

/** A checkout of one belt, without its price. */
const BASKET = 'mode=payment&success_url=http://shop.test/&line_items[0][quantity]=1&line_items[0][price_data][product_data][name]=Belt'

const refusals: Refusal[] = [
  {
    call: 'POST /v1/products',
    status: 400,
    code: 'parameter_missing',
    param: 'name',
  },
  {
    call: 'POST /v1/prices',
    form: 'currency=eur&unit_amount=1',
    status: 400,
    code: 'parameter_missing',
    param: 'product',
  },
  {
    call: 'POST /v1/prices',
    form: 'currency=EUR&unit_amount=1&product=prod_1',
    status: 400,
    param: 'currency',
  },
  {
    call: 'POST /v1/prices',
    form: 'currency=eur&unit_amount=1&product=prod_1',
    status: 400,
    code: 'resource_missing',
    param: 'product',
  },
  {
    call: 'GET /v1/prices/price_1',
    status: 404,
    code: 'resource_missing',
    param: 'id',
  },
  {
    call: 'POST /v1/customers',
    form: 'colour=red',
    status: 400,
    code: 'parameter_unknown',
    param: 'colour',
  },
  {
    call: 'POST /v1/customers',
    form: 'test_clock=clock_1',
    status: 400,
    code: 'resource_missing',
    param: 'test_clock',
  },
  {
    call: 'GET /v1/customers',
    form: 'limit=0',
    status: 400,
    param: 'limit',
  },
  {
    call: 'GET /v1/customers',
    form: 'limit=101',
    status: 400,
    param: 'limit',
  },
  {
    call: 'GET /v1/customers',
    form: 'starting_after=cus_1',
    status: 400,
    code: 'resource_missing',
    param: 'starting_after',
  },
  {
    call: 'GET /v1/customers',
    form: 'ending_before=cus_1',
    status: 400,
    code: 'resource_missing',
    param: 'ending_before',
  },
  {
    call: 'GET /v1/customers',
    form: 'created[gte]=monday',
    status: 400,
    param: 'created[gte]',
  },
  {
    call: 'GET /v1/customers',
    form: 'expand[]=data.customer.a.b.c',
    status: 400,
  },
  {
    call: 'GET /v1/customers/search',
    status: 400,
    code: 'parameter_missing',
    param: 'query',
  },
  {
    call: 'GET /v1/customers/search',
    form: 'query=a:1 AND b:2 OR c:3',
    status: 400,
    param: 'query',
  },
  {
    call: 'POST /v1/payment_methods',
    form: 'type=card&card[number]=4111111111111111&card[exp_month]=1&card[exp_year]=2030',
    status: 402,
    code: 'incorrect_number',
    param: 'number',
  },
  {
    call: 'POST /v1/payment_methods',
    form: 'type=card&card[token]=tok_gold',
    status: 400,
    code: 'resource_missing',
    param: 'payment_method',
  },
  {
    call: 'POST /v1/payment_methods',
    form: 'type=sepa_debit',
    status: 400,
    param: 'type',
  },
  {
    call: 'POST /v1/payment_intents',
    form: 'amount=0&currency=eur',
    status: 400,
    code: 'parameter_invalid_integer',
    param: 'amount',
  },
  {
    call: 'POST /v1/payment_intents',
    form: 'amount=1.5&currency=eur',
    status: 400,
    param: 'amount',
  },
  {
    call: 'POST /v1/payment_intents',
    form: 'amount=100&currency=eur&customer=cus_1',
    status: 400,
    code: 'resource_missing',
    param: 'customer',
  },
  {
    call: 'POST /v1/payment_intents',
    form: 'amount=100&currency=eur&confirm=true',
    status: 400,
    code: 'payment_intent_unexpected_state',
  },
  {
    call: 'POST /v1/payment_intents',
    form: 'amount=100&currency=eur&payment_method=pm_1',
    status: 400,
    code: 'resource_missing',
    param: 'payment_method',
  },
  {
    call: 'POST /v1/payment_intents',
    form: 'amount=100&currency=eur&payment_method=pm_card_chargeDeclined&confirm=true',
    status: 402,
    code: 'card_declined',
  },
  {
    call: 'POST /v1/payment_intents',
    form: 'amount=100&currency=eur&payment_method=pm_card_chargeDeclinedExpiredCard&confirm=true',
    status: 402,
    code: 'expired_card',
  },
  {
    call: 'POST /v1/payment_intents',
    form: 'amount=100&currency=eur&payment_method=pm_card_chargeDeclinedIncorrectCvc&confirm=true',
    status: 402,
    code: 'incorrect_cvc',
  },
  {
    call: 'POST /v1/payment_intents',
    form: 'amount=100&currency=eur&payment_method=pm_card_visa&payment_method_types[]=sepa_debit',
    status: 400,
    param: 'payment_method_types[0]',
  },
  {
    call: 'POST /v1/payment_intents/pi_1/confirm',
    status: 404,
    code: 'resource_missing',
    param: 'intent',
  },
  {
    call: 'POST /v1/setup_intents',
    form: 'customer=cus_1',
    status: 400,
    code: 'resource_missing',
    param: 'customer',
  },
  {
    call: 'GET /v1/disputes/du_1',
    status: 404,
    code: 'resource_missing',
    param: 'id',
  },
  {
    call: 'POST /v1/refunds',
    status: 400,
  },
  {
    call: 'POST /v1/refunds',
    form: 'charge=ch_1',
    status: 400,
    code: 'resource_missing',
    param: 'charge',
  },
  {
    call: 'POST /v1/refunds',
    form: 'payment_intent=pi_1',
    status: 400,
    code: 'resource_missing',
    param: 'payment_intent',
  },
  {
    call: 'POST /v1/subscriptions',
    form: 'customer=cus_1&items[0][price]=price_1',
    status: 400,
    code: 'resource_missing',
    param: 'customer',
  },
  {
    call: 'POST /v1/subscriptions',
    form: 'customer=cus_1',
    status: 400,
    code: 'parameter_missing',
    param: 'items',
  },
  {
    call: 'POST /v1/subscriptions/sub_1',
    form: 'cancel_at_period_end=true',
    status: 404,
    code: 'resource_missing',
    param: 'id',
  },
  {
    call: 'POST /v1/invoices',
    form: 'customer=cus_1',
    status: 400,
    code: 'resource_missing',
    param: 'customer',
  },
  {
    call: 'POST /v1/invoices/in_1/finalize',
    status: 404,
    code: 'resource_missing',
    param: 'invoice',
  },
  {
    call: 'POST /v1/checkout/sessions',
    form: 'mode=payment&success_url=http://shop.test/&line_items[0][price]=price_1&line_items[0][quantity]=1',
    status: 400,
    code: 'resource_missing',
    param: 'line_items[0][price]',
  },
  {
    call: 'POST /v1/webhook_endpoints',
    form: 'url=shop&enabled_events[]=*',
    status: 400,
    param: 'url',
  },
  {
    call: 'POST /v1/webhook_endpoints',
    form: 'url=http://shop.test/',
    status: 400,
    code: 'parameter_missing',
    param: 'enabled_events',
  },
  {
    call: 'POST /v1/prices',
    form: 'currency=xyz&unit_amount=1&product=prod_1',
    status: 400,
    param: 'currency',
    message: /^Invalid currency: xyz\. Stripe currently supports these currencies: usd, aed, .+, mro$/,
  },
  {
    call: 'POST /v1/checkout/sessions',
    form: `${BASKET}&line_items[0][price_data][currency]=euro&line_items[0][price_data][unit_amount]=100000000`,
    status: 400,
    param: 'line_items[0][price_data][currency]',
    message: /^Invalid currency: euro\. /,
  },
  {
    call: 'POST /v1/prices',
    form: 'currency=eur&unit_amount=-1&product=prod_1',
    status: 400,
    param: 'unit_amount',
    message: /^Invalid non-negative integer$/,
  },
  {
    call: 'POST /v1/products',
    form: 'name=Belt&default_price_data[currency]=usd&default_price_data[unit_amount]=100000000',
    status: 400,
    code: 'amount_too_large',
    param: 'default_price_data[unit_amount]',
    message: /^Amount must be no more than \$999,999\.99$/,
  },
  {
    call: 'POST /v1/invoiceitems',
    form: 'customer=cus_1&amount=100000000&currency=jpy',
    status: 400,
    code: 'amount_too_large',
    param: 'amount',
    message: /^Amount must be no more than ¥99,999,999$/,
  },
  {
    call: 'POST /v1/payment_intents',
    form: 'amount=100000000&currency=eur',
    status: 400,
    code: 'amount_too_large',
    param: 'amount',
    message: /^Amount must be no more than €999,999\.99$/,
  },
  {
    call: 'POST /v1/payment_intents',
    form: 'amount=49&currency=eur',
    status: 400,
    code: 'amount_too_small',
    param: 'amount',
    message: /^Amount must be at least €0\.50 eur$/,
  },
  {
    call: 'POST /v1/payment_intents',
    form: 'amount=17499&currency=huf',
    status: 400,
    code: 'amount_too_small',
    param: 'amount',
    message: /^Amount must be at least Ft\s175\.00 huf$/,
  },
  {
    call: 'POST /v1/payment_intents',
    form: 'amount=49&currency=jpy',
    status: 400,
    code: 'amount_too_small',
    param: 'amount',
    message: /^Amount must be at least ¥50 jpy$/,
  },
  {
    call: 'POST /v1/payment_intents',
    form: 'amount=50050&currency=isk',
    status: 400,
    code: 'parameter_invalid_integer',
    param: 'amount',
    message: /^Amounts in isk must be evenly divisible by 100$/,
  },
  {
    call: 'POST /v1/checkout/sessions',
    form: `${BASKET}&line_items[0][price_data][currency]=gbp&line_items[0][price_data][unit_amount]=29`,
    status: 400,
    code: 'amount_too_small',
    message: /^The Checkout Session's total amount due must add up to at least £0\.30 gbp$/,
  },
  {
    call: 'POST /v1/checkout/sessions',
    form: `${BASKET.replace('[quantity]=1', '[quantity]=2')}&line_items[0][price_data][currency]=eur&line_items[0][price_data][unit_amount]=99999999`,
    status: 400,
    code: 'amount_too_large',
    message: /^The Checkout Session's total amount due must be no more than €999,999\.99\.$/,
  },
  {
    call: 'POST /v1/webhook_endpoints',
    form: 'url=http://shop.test/&enabled_events[]=invoice.paid&enabled_events[]=invoice.eaten',
    status: 400,
    param: 'enabled_events[1]',
    message: /^Invalid enabled_events\[1\]: the fake never sends it; must be \*, billing_portal\.configuration\.created, .+\.ready$/,
  },
  {
    call: 'POST /v1/webhook_endpoints',
    form: 'url=http://shop.test/&enabled_events[]=payout.paid',
    status: 400,
    param: 'enabled_events[0]',
    message: /the fake never sends it/,
  },
  {
    call: 'POST /v1/webhook_endpoints',
    form: 'url=http://shop.test/&enabled_events[]=*&api_version=2024-06-20',
    status: 400,
    param: 'api_version',
  },
  {
    call: 'POST /v1/payment_methods',
    form: 'type=card&card[number]=4242424242424242&card[exp_month]=13&card[exp_year]=2030',
    status: 400,
    code: 'invalid_expiry_month',
    param: 'card[exp_month]',
  },
  {
    call: 'GET /v1/webhook_endpoints/we_1',
    status: 404,
    code: 'resource_missing',
    param: 'id',
  },
  {
    call: 'POST /v1/test_helpers/test_clocks/clock_1/advance',
    form: 'frozen_time=1',
    status: 404,
    code: 'resource_missing',
    param: 'id',
  },
  {
    call: 'GET /v1/coupons',
    status: 404,
  },
]

function begin() {
  const { app } = createStripeServer({ origin: 'http://stripe.test', clock: { now: () => new Date('2026-03-02T09:00:00Z') } })
  const headers = { authorization: 'Bearer sk_test_1', 'content-type': 'application/x-www-form-urlencoded' }
  return async (call: string, form = '') => {
    const [method, url] = call.split(' ') as ['GET' | 'POST', string]
    // Brackets and other characters as a client encodes them.
    const encoded = new URLSearchParams(
      form
        .split('&')
        .filter(Boolean)
        .map((pair) => [pair.split('=', 1)[0]!, pair.slice(pair.indexOf('=') + 1)]),
    ).toString()
    const answer = await app.inject(
      method === 'POST' ? { method, url, headers, payload: encoded } : { method, url: `${url}?${encoded}`, headers },
    )
    return { status: answer.statusCode, body: answer.json() }
  }
}

test('every call of the fake responds with an object of its kind', async () => {
  const send = begin()
  const ids = new Map<string, string>()
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => ids.get(name) ?? name)
  const covered = new Set<string>()
  for (const { call, form = '', has, as } of rows) {
    const { status, body } = await send(fill(call), fill(form))
    expect([call, form, status, body.error?.message]).toEqual([call, form, 200, undefined])
    expect(body, call).toMatchObject(has)
    if (as) ids.set(as.replace(/s$/, ''), body.data?.[0]?.id ?? body.id)
    if (as === 'subscription') ids.set('item', body.items.data[0].id)
    covered.add(call.replace(/\{\w+\}|pm_card_visa/, ':id'))
  }
  expect(stripeEndpoints.map(({ method, path }) => `${method} ${path}`).filter((call) => !covered.has(call))).toEqual([])
})

test('an impossible request is rejected with the type, code and parameter of Stripe', async () => {
  expect(
    await collectFailures(
      refusals,
      ({ call, form }) => `${call} ${form}`,
      async ({ call, form, status, code, param, message }) => {
        const { status: got, body } = await begin()(call, form)
        const type = status === 402 ? 'card_error' : 'invalid_request_error'
        expect([got, body.error.type, body.error.code, body.error.param]).toEqual([status, type, code, param])
        expect(body.error.message).toMatch(message ?? /\w+ \w+/)
        expect(body.error.doc_url).toBe(code && `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`)
      },
    ),
  ).toEqual([])
})
