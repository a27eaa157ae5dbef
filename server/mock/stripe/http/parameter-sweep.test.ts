import { expect, test } from 'vitest'
import { limits } from '#scripts/test-setup/limits.ts'
import { createSeededIds } from '#server/mock/lib/seeded-ids.ts'
import type { Endpoint } from '#server/mock/stripe/api/endpoint.ts'
import { EVENT_TYPES } from '#server/mock/stripe/api/event-types.ts'
import type { Provider } from '#server/mock/stripe/api/provider.ts'
import { createStripeFake, SECRET_KEY, type StripeFake } from '#server/mock/stripe/stripe-fake.ts'
import { stripeEndpoints } from '#server/mock/stripe/stripe-fetch.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { type Leaf, listLeaves } from './test-parameters.ts'

const NOW = new Date('2026-03-02T09:00:00Z')
const NOW_S = NOW.getTime() / 1000
const DAY_S = 86_400

/** An account with two of everything: the name of each object, and the call that creates it. `{name}` is the id of an earlier one. */
const ACCOUNT: [name: string, call: string, form?: string][] = [
  ['product', 'POST /v1/products', 'name=Tracker'],
  ['empty', 'POST /v1/products', 'name=Empty&active=false'],
  ['price', 'POST /v1/prices', 'product={product}&currency=eur&unit_amount=1500&recurring[interval]=month&lookup_key=monthly'],
  ['other_price', 'POST /v1/prices', 'product={product}&currency=eur&unit_amount=2500&recurring[interval]=month'],
  ['once', 'POST /v1/prices', 'currency=eur&unit_amount=990&product_data[name]=Belt'],
  ['dollars', 'POST /v1/prices', 'product={product}&currency=usd&unit_amount=990&active=false'],
  ['tax_rate', 'POST /v1/tax_rates', 'display_name=VAT&inclusive=false&percentage=19'],
  ['other_rate', 'POST /v1/tax_rates', 'display_name=MwSt&inclusive=true&percentage=7.7&active=false'],
  ['clock', 'POST /v1/test_helpers/test_clocks', `frozen_time=${NOW_S}`],
  ['other_clock', 'POST /v1/test_helpers/test_clocks', `frozen_time=${NOW_S}`],
  ['ada', 'POST /v1/customers', 'email=ada@example.com&test_clock={clock}'],
  ['bob', 'POST /v1/customers', 'email=bob@example.com&payment_method=pm_card_visa&invoice_settings[default_payment_method]=pm_card_visa'],
  ['cleo', 'POST /v1/customers', 'email=cleo@example.com'],
  ['dan', 'POST /v1/customers', 'email=dan@example.com&payment_method=pm_card_visa&invoice_settings[default_payment_method]=pm_card_visa'],
  ['visa', 'POST /v1/payment_methods/pm_card_visa/attach', 'customer={ada}'],
  ['amex', 'POST /v1/payment_methods/pm_card_amex/attach', 'customer={ada}'],
  ['asking', 'POST /v1/payment_methods/pm_card_authenticationRequired/attach', 'customer={ada}'],
  ['failing', 'POST /v1/payment_methods/pm_card_chargeCustomerFail/attach', 'customer={ada}'],
  ['loose', 'POST /v1/payment_methods', 'type=card&card[token]=tok_visa'],
  ['', 'POST /v1/customers/{ada}', 'invoice_settings[default_payment_method]={visa}'],
  ['intent', 'POST /v1/payment_intents', 'amount=700&currency=eur&customer={ada}&payment_method={visa}'],
  ['asked', 'POST /v1/payment_intents', 'amount=800&currency=eur&customer={ada}&payment_method={asking}'],
  ['unattached', 'POST /v1/payment_intents', 'amount=600&currency=eur&customer={ada}&payment_method={loose}'],
  ['held', 'POST /v1/payment_intents', 'amount=500&currency=eur&payment_method=pm_card_visa&capture_method=manual&confirm=true'],
  ['paid', 'POST /v1/payment_intents', 'amount=900&currency=eur&customer={ada}&payment_method={visa}&confirm=true'],
  ['also_paid', 'POST /v1/payment_intents', 'amount=950&currency=eur&payment_method=pm_card_visa&confirm=true'],
  ['refund', 'POST /v1/refunds', 'payment_intent={paid}&amount=100'],
  ['other_refund', 'POST /v1/refunds', 'payment_intent={also_paid}&amount=100'],
  ['disputed', 'POST /v1/payment_intents', 'amount=400&currency=eur&payment_method=pm_card_createDispute&confirm=true'],
  ['dispute', 'GET /v1/disputes'],
  ['', 'POST /v1/payment_intents', 'amount=450&currency=eur&payment_method=pm_card_createDispute&confirm=true'],
  ['setup', 'POST /v1/setup_intents', 'customer={ada}&payment_method={asking}'],
  ['other_setup', 'POST /v1/setup_intents'],
  ['subscription', 'POST /v1/subscriptions', 'customer={ada}&items[0][price]={price}&items[1][price]={other_price}'],
  ['canceled', 'POST /v1/subscriptions', 'customer={bob}&items[0][price]={other_price}'],
  ['', 'DELETE /v1/subscriptions/{canceled}'],
  ['active', 'POST /v1/subscriptions', 'customer={bob}&items[0][price]={other_price}'],
  ['item', 'GET /v1/subscription_items', 'subscription={subscription}'],
  ['draft', 'POST /v1/invoices', 'customer={ada}'],
  ['', 'POST /v1/invoiceitems', 'customer={ada}&invoice={draft}&amount=500&currency=eur'],
  ['open', 'POST /v1/invoices', 'customer={ada}'],
  ['', 'POST /v1/invoiceitems', 'customer={ada}&invoice={open}&amount=550&currency=eur'],
  ['', 'POST /v1/invoices/{open}/finalize'],
  ['pending', 'POST /v1/invoiceitems', 'customer={ada}&amount=300&currency=eur'],
  [
    'session',
    'POST /v1/checkout/sessions',
    'mode=payment&success_url=http://shop.test/&customer={bob}&line_items[0][price]={once}&line_items[0][quantity]=1&line_items[1][price]={once}&line_items[1][quantity]=3',
  ],
  [
    'expired',
    'POST /v1/checkout/sessions',
    'mode=payment&success_url=http://shop.test/&line_items[0][price]={once}&line_items[0][quantity]=1',
  ],
  ['', 'POST /v1/checkout/sessions/{expired}/expire'],
  ['configuration', 'POST /v1/billing_portal/configurations', 'features[invoice_history][enabled]=true'],
  ['', 'POST /v1/billing_portal/configurations', 'features[invoice_history][enabled]=true'],
  ['hook', 'POST /v1/webhook_endpoints', 'url=http://shop.test/hook&enabled_events[]=invoice.paid'],
  ['', 'POST /v1/webhook_endpoints', 'url=http://shop.test/other&enabled_events[]=invoice.paid'],
  ['event', 'GET /v1/events', 'type=invoice.paid'],
]

const LINE = 'line_items[0][quantity]=1'
const INLINE = 'line_items[0][price_data][currency]=eur&line_items[0][price_data][unit_amount]=900'
const SHOP = 'success_url=http://shop.test/'
const ITEM = 'items[0][price_data][currency]=eur&items[0][price_data][unit_amount]=900&items[0][price_data][product]={product}'

/** Successful requests of each call; each parameter must have an effect in one of them. Calls that are not listed need no parameter. */
const REQUESTS: Record<string, string[]> = {
  ...Object.fromEntries(stripeEndpoints.flatMap(({ path }) => (path.endsWith('/search') ? [[`GET ${path}`, ['query=created>0']]] : []))),
  'POST /v1/products': [
    'name=Collar',
    'name=Collar&default_price_data[currency]=eur&default_price_data[unit_amount]=100',
    'name=Collar&default_price_data[currency]=eur&default_price_data[unit_amount]=100&default_price_data[recurring][interval]=year',
  ],
  'POST /v1/prices': [
    'currency=eur&unit_amount=100&product={product}',
    'currency=eur&unit_amount=100&product={product}&recurring[interval]=year',
    'currency=eur&unit_amount=100&product={product}&lookup_key=monthly&transfer_lookup_key=true',
    'currency=eur&unit_amount=100&product_data[name]=Collar',
  ],
  'POST /v1/tax_rates': ['display_name=VAT&inclusive=true&percentage=20'],
  'POST /v1/customers/:id': ['description=old'],
  'POST /v1/customers': ['name=Dora', 'name=Dora&payment_method=pm_card_visa'],
  'POST /v1/payment_methods': [
    'type=card&card[token]=tok_visa',
    'type=card&card[number]=4242424242424242&card[exp_month]=3&card[exp_year]=2031',
  ],
  'POST /v1/payment_methods/:id/attach': ['customer={bob}'],
  'POST /v1/payment_intents': [
    'amount=600&currency=eur',
    'amount=600&currency=eur&automatic_payment_methods[enabled]=true',
    'amount=600&currency=eur&payment_method=pm_card_visa&confirm=true&customer={ada}',
    'amount=600&currency=eur&payment_method={asking}&customer={ada}&confirm=true',
  ],
  'POST /v1/payment_intents/:id/confirm': [':id={intent}', ':id={asked}', ':id={unattached}'],
  'POST /v1/refunds': ['charge={charge_of_paid}', 'payment_intent={paid}'],
  'POST /v1/disputes/:id': ['metadata[case]=7', 'evidence[uncategorized_text]=a letter'],
  'POST /v1/setup_intents': [
    'customer={ada}',
    'customer={ada}&automatic_payment_methods[enabled]=true',
    'customer={ada}&payment_method={asking}&confirm=true',
  ],
  'POST /v1/setup_intents/:id/confirm': [':id={setup}', ':id={other_setup}&payment_method=pm_card_visa'],
  'POST /v1/subscriptions': [
    'customer={ada}&items[0][price]={price}',
    'customer={ada}&items[0][price]={price}&default_payment_method={failing}',
    'customer={ada}&items[0][price]={price}&default_payment_method={asking}',
    `customer={ada}&${ITEM}&items[0][price_data][recurring][interval]=month`,
    // Without a running subscription any currency is possible.
    `customer={dan}&${ITEM}&items[0][price_data][recurring][interval]=month`,
  ],
  'POST /v1/subscriptions/:id': [
    'description=old',
    'pause_collection[behavior]=void',
    'items[0][id]={item}',
    'items[0][id]={item}&items[0][quantity]=4&proration_behavior=create_prorations',
    `${ITEM}&items[0][price_data][recurring][interval]=month`,
    'items[0][quantity]=3&items[0][price]={price}',
  ],
  'DELETE /v1/subscriptions/:id': ['', 'prorate=true'],
  'GET /v1/payment_intents/:id': ['', 'client_secret={intent}_secret_test'],
  'GET /v1/subscription_items': ['subscription={subscription}'],
  'POST /v1/invoices': ['customer={ada}'],
  'POST /v1/invoiceitems': ['customer={ada}&amount=300&currency=eur'],
  'POST /v1/checkout/sessions': [
    `mode=payment&${SHOP}&${LINE}&line_items[0][price]={once}`,
    `mode=payment&${SHOP}&${LINE}&${INLINE}&line_items[0][price_data][product_data][name]=Collar`,
    `mode=payment&${SHOP}&${LINE}&${INLINE}&line_items[0][price_data][product]={product}`,
    `mode=subscription&${SHOP}&${LINE}&line_items[0][price]={price}`,
    `mode=subscription&${SHOP}&${LINE}&${INLINE}&line_items[0][price_data][product]={product}&line_items[0][price_data][recurring][interval]=year`,
  ],
  'POST /v1/billing_portal/sessions': ['customer={bob}&return_url=http://shop.test/'],
  'POST /v1/billing_portal/configurations': [
    'features[payment_method_update][enabled]=true',
    'features[subscription_cancel][enabled]=true',
  ],
  'POST /v1/webhook_endpoints': ['url=http://shop.test/new&enabled_events[0]=invoice.paid'],
  'POST /v1/test_helpers/test_clocks': [`frozen_time=${NOW_S}`],
  'POST /v1/test_helpers/test_clocks/:id/advance': [`frozen_time=${NOW_S + DAY_S}`],
}

/** The object of the account that a call concerns, if its resource has created more than one. */
const SUBJECTS: Record<string, string> = {
  'DELETE /v1/products/:id': 'empty',
  '/v1/customers/:id': 'ada',
  '/v1/customers/:id/payment_methods': 'ada',
  '/v1/payment_methods/:id': 'visa',
  '/v1/payment_methods/:id/detach': 'visa',
  '/v1/setup_intents/:id': 'setup',
  '/v1/setup_intents/:id/cancel': 'setup',
  '/v1/invoices/:id/lines': 'draft',
  '/v1/payment_methods/:id/attach': 'loose',
  '/v1/payment_intents/:id': 'intent',
  '/v1/payment_intents/:id/cancel': 'intent',
  '/v1/payment_intents/:id/capture': 'held',
  '/v1/charges/:id': 'charge_of_paid',
  '/v1/subscription_items/:id': 'item',
  '/v1/invoices/:id': 'draft',
  '/v1/invoices/:id/finalize': 'draft',
  '/v1/invoices/:id/mark_uncollectible': 'open',
  '/v1/invoices/:id/pay': 'open',
  '/v1/invoices/:id/void': 'open',
  '/v1/webhook_endpoints/:id': 'hook',
  '/v1/billing_portal/configurations/:id': 'configuration',
  '/v1/test_helpers/test_clocks/:id': 'clock',
  '/v1/test_helpers/test_clocks/:id/advance': 'clock',
}

/** Values of parameters that are neither a choice nor free text: by name, or by call and path. */
const VALUES: Record<string, string> = {
  charge: '{charge_of_paid}',
  created: '1',
  currency: 'usd',
  customer: '{bob}',
  customer_email: 'eve@example.com',
  default_payment_method: '{amex}',
  default_price: '{price}',
  default_return_url: 'http://shop.test/else',
  'card[number]': '5555555555554444',
  'card[token]': 'tok_amex',
  cancel_url: 'http://shop.test/else',
  'default_tax_rates[0]': '{tax_rate}',
  email: 'eve@example.com',
  ending_before: '{first}',
  'enabled_events[0]': 'customer.created',
  exp_month: '7',
  exp_year: '2033',
  frozen_time: `${NOW_S + 2 * DAY_S}`,
  gt: '9999999999',
  gte: '9999999999',
  'ids[0]': '{product}',
  invoice: '{draft}',
  'items[0][tax_rates][0]': '{tax_rate}',
  limit: '1',
  'lookup_keys[0]': 'monthly',
  lt: '1',
  lte: '1',
  payment_intent: '{paid}',
  payment_method: '{amex}',
  price: '{other_price}',
  product: '{empty}',
  'POST /v1/customers payment_method': '{loose}',
  'POST /v1/customers invoice_settings[default_payment_method]': '{loose}',
  'POST /v1/payment_methods/:id/attach customer': '{cleo}',
  'POST /v1/billing_portal/sessions customer': '{cleo}',
  'POST /v1/invoices currency': 'gbp',
  'POST /v1/refunds charge': '{charge_of_also_paid}',
  'POST /v1/refunds payment_intent': '{also_paid}',
  'GET /v1/subscriptions price': '{price}',
  'POST /v1/subscriptions/:id items[0][id]': '{item}',
  'line_items[0][price_data][unit_amount]': '700',
  'line_items[0][tax_rates][0]': '{tax_rate}',
  percentage: '7.7',
  'POST /v1/tax_rates country': 'DE',
  'POST /v1/tax_rates/:id country': 'DE',
  'tax_rates[0]': '{tax_rate}',
  proration_date: `${NOW_S + DAY_S}`,
  query: 'created<0',
  return_url: 'http://shop.test/else',
  starting_after: '{first}',
  subscription: '{active}',
  success_url: 'http://shop.test/else',
  test_clock: '{other_clock}',
  resumes_at: `${NOW_S + DAY_S}`,
  trial_end: `${NOW_S + DAY_S}`,
  type: 'invoice.paid',
  'types[0]': 'invoice.paid',
  url: 'http://shop.test/else',
  'card[cvc]': '314',
  uncategorized_text: 'winning_evidence',
  amount: '250',
  page: '1',
}

type Form = Record<string, string>
const parse = (form = ''): Form =>
  Object.fromEntries(
    form
      .split('&')
      .filter(Boolean)
      .map((pair) => pair.split(/=(.*)/s, 2) as [string, string]),
  )

type Body = {
  object?: string
  status?: string
  id: string
  latest_charge?: string
  data?: { id: string }[]
  error?: { message: string; code?: string; param?: string }
}
type Account = { fake: StripeFake; ids: Map<string, string>; send(call: string, form?: Form): Promise<{ status: number; body: Body }> }

/** A test account whose requests may name its objects: `{name}`. */
function connect(fill: (provider: Provider) => void, ids: Map<string, string>, used = 0): Account {
  const fake = createStripeFake(
    { clock: { now: () => NOW }, ids: createSeededIds(1, used), origin: 'http://stripe.test' },
    async (provider) => fill(provider),
  )
  const insert = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => ids.get(name) ?? `{${name}}`)
  return {
    fake,
    ids,
    async send(call, form = {}) {
      const [method = '', path] = insert(call).split(' ')
      const text = new URLSearchParams(Object.entries(form).map(([name, value]) => [name, insert(value)])).toString()
      const headers = { authorization: `Bearer ${SECRET_KEY}` }
      const url = `https://api.stripe.com${path}`
      const answer = await (method === 'GET' ? fake.fetch(`${url}?${text}`, { headers }) : fake.fetch(url, { method, headers, body: text }))
      return { status: answer.status, body: (await answer.json()) as Body }
    },
  }
}

/** Creates all objects of `ACCOUNT` once; each account opened afterwards is a copy. */
async function createAccounts() {
  let provider: Provider | undefined
  const { ids, send } = connect((one) => {
    provider = one
  }, new Map())
  for (const [name, call, form] of ACCOUNT) {
    const { status, body } = await send(call, parse(form))
    if (status !== 200) throw new Error(`${call} ${form}: ${body.error?.message}`)
    ids.set(name, body.data?.[0]?.id ?? body.id)
    if (body.latest_charge) ids.set(`charge_of_${name}`, body.latest_charge)
  }
  const { events, ...rest } = provider!
  const state = Object.fromEntries(Object.entries(rest).filter(([, value]) => value instanceof Map || value instanceof Set))
  return () =>
    connect(
      (one) => {
        Object.assign(one, structuredClone(state))
        one.events.push(...events)
      },
      new Map(ids),
      USED_IDS,
    )
}
const USED_IDS = 10_000
const openAccount = await createAccounts()

const LISTS = stripeEndpoints
  .filter(({ method, path }) => method === 'GET' && !path.includes(':') && !path.endsWith('/search'))
  .map(({ path }) => path)

/** Sends a request. `later` is the state of its account a month later, with the checkout paid; a read changes nothing. */
async function observe(call: string, form: Form) {
  const isRead = call.startsWith('GET')
  const { fake, ids, send } = isRead ? shared : openAccount()
  const { ':id': id = `{${subjectOf(call)}}`, ...rest } = form
  const address = call.replace(':id', id)
  const [cursor] = Object.entries(rest).find(([, value]) => value === '{first}') ?? []
  if (cursor) {
    const { [cursor]: _, ...others } = rest
    ids.set('first', (await send(address, others)).body.data![0]!.id)
  }
  const { status, body } = await send(address, rest)
  async function play() {
    if (isRead) return ''
    if (body.object === 'checkout.session' && body.status === 'open') fake.pay(body.id, '4242424242424242')
    await send('POST /v1/test_helpers/test_clocks/{clock}/advance', { frozen_time: String(NOW_S + 32 * DAY_S) })
    const lists = LISTS.map((path) =>
      send(`GET ${path}`, { limit: '100', ...(path.endsWith('_items') && { subscription: '{subscription}' }) }),
    )
    return JSON.stringify(await Promise.all(lists))
  }
  let played: Promise<string> | undefined
  return { status, error: body.error, response: JSON.stringify(body), events: fake.events, later: () => (played ??= play()) }
}
/** The account for all reads. */
const shared = openAccount()

function subjectOf(call: string) {
  const path = call.split(' ')[1]!
  const [, resource = ''] = /\/(\w+)s\/:id/.exec(path) ?? []
  return SUBJECTS[call] ?? SUBJECTS[path] ?? resource
}

/** Parameters for which every request has the only possible value, or none; the calls reject any other. */
const ONLY_CHOICES: readonly string[] = [
  'GET /v1/customers/:id/payment_methods type',
  'GET /v1/payment_methods type',
  'POST /v1/payment_methods type',
  'GET /v1/payment_intents/:id client_secret',
  'POST /v1/subscriptions collection_method',
  'POST /v1/subscriptions/:id items[0][price_data][recurring][interval_count]',
  'POST /v1/invoices collection_method',
  'POST /v1/checkout/sessions payment_method_types[0]',
]

const callOf = ({ method, path }: Endpoint) => `${method} ${path}`

function valuesOf(call: string, { path, values, isNumber }: Leaf): readonly string[] {
  if (values) return values.filter((value) => value !== '')
  const [, name = path] = /(\w+(?:\[\d+\])?|card\[\w+\])\]?$/.exec(path.replace(/^(.*\[)?(card\[)/, '$2')) ?? []
  return [VALUES[`${call} ${path}`] ?? VALUES[path] ?? VALUES[name] ?? (isNumber ? '7' : 'any text')]
}

type Row = { call: string; leaf: Leaf }
const rows: Row[] = stripeEndpoints.flatMap((one) => listLeaves(one.takes).map((leaf) => ({ call: callOf(one), leaf })))
const nameOf = ({ call, leaf }: Row) => `${call} ${leaf.path}`

/**
 * Whether requests with different values have different results. The last one has no value: a choice may be the default, so that it equals
 * one of the others.
 */
function areDistinct(call: string, outcomes: readonly string[]) {
  const plain = outcomes.at(-1)
  const chosen = outcomes.slice(0, -1)
  if (chosen.length === 1) return chosen[0] !== plain
  // A filter may find nothing of several kinds.
  return call.startsWith('GET') ? chosen.filter((one) => one === plain).length < 2 : new Set(chosen).size === chosen.length
}

test(
  'each accepted parameter of a call has an effect, and so has each of its values',
  async () => {
    const plain = new Map<string, ReturnType<typeof observe>>()
    async function sendPlain(call: string, form: string) {
      const known = plain.get(call + form) ?? observe(call, parse(form))
      plain.set(call + form, known)
      const { error } = await known
      if (error) throw new Error(`${form}: ${error.message}`)
      return known
    }
    const isFree = ({ call, leaf }: Row) => !ONLY_CHOICES.includes(nameOf({ call, leaf }))
    const failures = await collectFailures(rows.filter(isFree), nameOf, async ({ call, leaf }) => {
      const values = valuesOf(call, leaf)
      const outcomes = [...values, ''].map(() => '')
      const reasons: string[] = []
      const isShown = (parts: string[]) => {
        for (const [index, part] of parts.entries()) outcomes[index] += part
        return areDistinct(call, outcomes)
      }
      for (const form of REQUESTS[call] ?? ['']) {
        const known = await sendPlain(call, form)
        const made: (typeof known)[] = []
        for (const value of values) made.push(await observe(call, { ...parse(form), [leaf.path]: value }))
        for (const { error } of made) if (error) reasons.push(error.message)
        const read = (one: (sent: typeof known) => string | Promise<string>) =>
          Promise.all([...made, known].map((sent) => (sent.status !== 400 ? one(sent) : values.length > 1 ? 'refused' : one(known))))
        if (isShown(await read(({ response }) => response)) || isShown(await read(({ later }) => later()))) return
      }
      throw new Error(`no effect of ${values.join(', ')}. ${reasons.join('; ')}`)
    })
    expect(failures).toEqual([])
  },
  2 * limits.test,
)

test('a parameter with only one choice is rejected with any other value', async () => {
  const only = rows.filter((row) => ONLY_CHOICES.includes(nameOf(row)))
  expect(only.map(nameOf)).toEqual(ONLY_CHOICES)
  const failures = await collectFailures(only, nameOf, async ({ call, leaf }) => {
    const form = parse(REQUESTS[call]?.at(-1))
    const { status, error } = await observe(call, { ...form, [leaf.path]: '7' })
    expect([status, String(error?.param).split('[')[0]]).toEqual([400, leaf.path.split('[')[0]])
  })
  expect(failures).toEqual([])
})

test('a parameter that names an object is rejected if the object does not exist', async () => {
  const naming = rows.filter(({ call, leaf }) => !call.startsWith('GET') && valuesOf(call, leaf).some((value) => /^\{.*\}$/.test(value)))
  const failures = await collectFailures(naming, nameOf, async ({ call, leaf }) => {
    const sent = await Promise.all((REQUESTS[call] ?? ['']).map((form) => observe(call, { ...parse(form), [leaf.path]: 'nothing_1' })))
    expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 400))
    expect(sent.map(({ error }) => error?.code)).toContain('resource_missing')
  })
  expect(failures).toEqual([])
})

test('every call rejects an unknown expansion', async () => {
  const failures = await collectFailures(stripeEndpoints, callOf, async (one) => {
    const call = callOf(one)
    const { status, error } = await observe(call, { ...parse(REQUESTS[call]?.[0]), 'expand[0]': 'nothing' })
    expect([status, error?.param]).toEqual([400, 'expand'])
  })
  expect(failures).toEqual([])
})

/** Requests whose events no request of `REQUESTS` causes. */
const PLAYED: [call: string, form: string][] = [
  ['POST /v1/disputes/:id', 'evidence[uncategorized_text]=winning_evidence'],
  ['POST /v1/subscriptions', 'customer={ada}&items[0][price]={price}&trial_period_days=7'],
  ['POST /v1/setup_intents', 'customer={ada}&payment_method=pm_card_chargeDeclined&confirm=true'],
]

test('each event that an endpoint can subscribe to is sent', async () => {
  const sent = new Set<string>()
  const requests = stripeEndpoints.flatMap((one) => (REQUESTS[callOf(one)] ?? ['']).map((form) => [callOf(one), form] as const))
  for (const [call, form] of [...requests.filter(([call]) => !call.startsWith('GET')), ...PLAYED]) {
    const { later, events } = await observe(call, parse(form))
    await later()
    for (const { type } of events) sent.add(type)
  }
  expect(EVENT_TYPES.filter((type) => !sent.has(type))).toEqual([])
})
