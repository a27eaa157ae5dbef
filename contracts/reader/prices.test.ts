import { describe, expect, test } from 'vitest'
import { api } from '#contracts/index.ts'
import { readTolerantly } from './tolerant.ts'

const schema = api.subscriptions.prices.response[200]

const yearly = {
  id: 'price_1Y',
  type: 'plan',
  name: 'Yearly',
  currency: 'eur',
  unit_amount: 4788,
  tax_behavior: 'exclusive',
  recurring: { interval: 'year', interval_count: 1 },
  meta_data: { months: '12', extra: '1' },
}
const once = { ...yearly, recurring: null }

function read(...entries: unknown[]) {
  const reading = readTolerantly(schema, entries)
  if (!reading.ok) throw new Error('unreadable')
  const habits = reading.deviations.map(({ path, habit }) => `${path} ${habit}`)
  return { prices: reading.value as Record<string, unknown>[], habits, omitted: reading.omitted }
}
const readOne = (entry: unknown) => read(entry).prices[0]

test("prices in the contract's form are read unchanged, including options", () => {
  const option = { ...once, id: 'price_care', type: 'option', name: 'care', meta_data: { months: 0 } }
  expect(read(yearly, once, option)).toEqual({ prices: [yearly, once, option], habits: [], omitted: 0 })
})

describe('a price of Stripe', () => {
  const stripe = {
    id: 'price_1Y',
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    currency: 'eur',
    custom_unit_amount: null,
    livemode: false,
    metadata: { months: '12', extra: '1' },
    nickname: 'Yearly',
    product: 'prod_1',
    recurring: { interval: 'year', interval_count: 1, meter: null, trial_period_days: null, usage_type: 'licensed' },
    tax_behavior: 'exclusive',
    tiers_mode: null,
    type: 'recurring',
    unit_amount: 4788,
    unit_amount_decimal: '4788',
  }
  const product = { id: 'prod_1', object: 'product', active: true, name: 'Yearly', metadata: { months: '12', extra: '1' } }

  test.each<[string, object]>([
    ['as it is', stripe],
    ['in camel case', { ...stripe, unit_amount: undefined, unitAmount: 4788, tax_behavior: undefined, taxBehavior: 'exclusive' }],
    ['with the name and the metadata of its product', { ...stripe, nickname: null, metadata: {}, product }],
    ['with the amount as a decimal text only', { ...stripe, unit_amount: null }],
    ['in capitals', { ...stripe, currency: 'EUR', type: 'RECURRING', recurring: { interval: 'YEAR', interval_count: 1 } }],
    ['within an entry of the backend', { id: 5, name: 'Yearly', price: { ...stripe, nickname: null } }],
    ['as the default price of a product', { ...product, default_price: stripe }],
    ['of the older kind, a plan', { ...stripe, type: undefined, recurring: undefined, amount: 4788, interval: 'year', interval_count: 1 }],
  ])('%s', (_, price) => {
    expect(readOne(price)).toEqual(yearly)
  })

  test('a price that is paid once does not renew', () => {
    expect(readOne({ ...stripe, type: 'one_time', recurring: null })).toEqual(once)
  })

  test.each([
    [{ interval: 'month', interval_count: 6 }, 6],
    [{ interval: 'year', interval_count: 2 }, 24],
  ])('a price without months in its metadata gets those of its interval: %j', (recurring, months) => {
    expect(readOne({ ...stripe, metadata: {}, recurring })).toMatchObject({ recurring, meta_data: { months } })
  })

  test('a weekly price renews, and has no months', () => {
    const recurring = { interval: 'week', interval_count: 2 }
    expect(readOne({ ...stripe, metadata: {}, recurring })).toMatchObject({ recurring, meta_data: { months: 0 } })
  })

  test('a price that is no longer sold, or whose amount is not a whole number of cents, is left out', () => {
    const { prices, omitted } = read(stripe, { ...stripe, active: false }, { ...stripe, product: { ...product, active: false } })
    expect([prices.length, omitted]).toEqual([1, 0])
    expect(read({ ...stripe, unit_amount: null, unit_amount_decimal: '478.85' })).toMatchObject({ prices: [], omitted: 1 })
  })

  test('the prices of a Stripe list are read', () => {
    const body = { object: 'list', data: [stripe], has_more: false, url: '/v1/prices' }
    expect(readTolerantly(schema, body)).toMatchObject({ ok: true, value: [yearly] })
  })
})

describe('a price with the fields of the document', () => {
  const price = { currency: 'eur', unit_amount: 4788, tax_behavior: 'exclusive', meta_data: { months: 12, extra: 1 } }
  const known = { ...yearly, meta_data: { months: 12, extra: 1 } }
  test.each<[string, object]>([
    ['the price inside', { id: 'price_1Y', type: 'plan', name: 'Yearly', tax: '20.00', duration: 12, recurring: 'year', price }],
    [
      'all beside each other',
      { id: 'price_1Y', title: 'Yearly', ...price, meta_data: undefined, duration: 12, extra: 1, recurring: 'yearly' },
    ],
    ['years as the duration', { id: 'price_1Y', label: 'Yearly', ...price, meta_data: { extra: 1 }, duration: 1, recurring: 'year' }],
    [
      'a duration with its unit',
      { id: 'price_1Y', name: 'Yearly', ...price, meta_data: { extra: 1 }, duration: '1 year', recurring: 'annual' },
    ],
    ['an ISO duration', { id: 'price_1Y', name: 'Yearly', ...price, meta_data: { extra: 1 }, duration: 'P1Y', recurring: 'P1Y' }],
    [
      'other names in camel case',
      {
        priceId: 'price_1Y',
        title: 'Yearly',
        amountCents: 4788,
        currencyCode: 'EUR',
        durationMonths: 12,
        freeMonths: 1,
        billingPeriod: 'YEARLY',
        taxBehavior: 'exclusive',
      },
    ],
    ['all in attributes', { id: 'price_1Y', type: 'prices', attributes: { name: 'Yearly', ...price, recurring: 'year' } }],
    ['a code of the currency inside', { id: 'price_1Y', name: 'Yearly', ...price, currency: { code: 'EUR' }, recurring: 'year' }],
  ])('%s', (_, entry) => {
    expect(readOne(entry)).toEqual(known)
  })

  const flat = { id: 'price_1Y', name: 'Yearly', ...price }
  const renewedYearly = { interval: 'month', interval_count: 12 }
  const unknown = { interval: 'unknown', interval_count: 1 }
  test.each<[string, object, unknown]>([
    ['true', { recurring: true }, renewedYearly],
    ['a text for true', { recurring: 'recurring' }, renewedYearly],
    ['the type alone', { type: 'recurring' }, renewedYearly],
    ['true under another name', { isRecurring: true }, renewedYearly],
    ['false', { recurring: false }, null],
    ['null', { recurring: null }, null],
    ['a text for once', { recurring: 'one-time' }, null],
    ['the type for once alone', { type: 'one_time' }, null],
    ['half a year', { recurring: { interval: 'month', interval_count: 6 } }, { interval: 'month', interval_count: 6 }],
    ['quarters', { recurring: 'quarterly' }, { interval: 'month', interval_count: 3 }],
    ['a year for two', { recurring: 'year', meta_data: { months: 24 } }, { interval: 'year', interval_count: 2 }],
    ['nothing', {}, unknown],
    ['nothing that is known', { recurring: 'sometimes' }, unknown],
    ['true without months', { recurring: true, meta_data: {} }, unknown],
    ['nothing in a plan of the contract, which leaves out what is null', { type: 'plan' }, null],
  ])('how it renews is told by %s', (_, fields, recurring) => {
    expect(readOne({ ...flat, ...fields })).toMatchObject({ type: 'plan', recurring })
  })

  test.each([
    ['plan', 'plan'],
    ['recurring', 'plan'],
    ['subscription', 'plan'],
    ['anything', 'plan'],
    [undefined, 'plan'],
    ['Option', 'option'],
    ['add-on', 'option'],
    ['care', 'option'],
  ])('the type %s is a %s', (type, taken) => {
    expect(readOne({ ...flat, type, recurring: null })).toMatchObject({ type: taken })
  })

  test('a price is an option if its metadata or its name says so', () => {
    expect(readOne({ ...flat, type: 'one_time', metadata: { type: 'option' } })).toMatchObject({ type: 'option', recurring: null })
    expect(readOne({ ...flat, type: 'one_time', name: 'Care' })).toMatchObject({ type: 'option' })
  })
})

test('fields missing in a price are unknown, and reported', () => {
  const { prices, habits } = read({ id: 'price_1', currency: 'eur', unit_amount: 990 })
  expect(prices).toEqual([
    {
      ...{ id: 'price_1', type: 'plan', name: '–', currency: 'eur', unit_amount: 990, tax_behavior: 'unknown' },
      ...{ recurring: { interval: 'unknown', interval_count: 1 }, meta_data: { months: 0 } },
    },
  ])
  const absent = ['meta_data.months', 'name', 'tax_behavior', 'type'].map((field) => `[].${field} absent`)
  expect(habits.toSorted()).toEqual([...absent, '[].recurring.interval unknown-value'].toSorted())
})

test('a price without an id, an amount or a currency is not sold', () => {
  const { id: _id, ...noId } = yearly
  const { unit_amount: _amount, ...free } = yearly
  expect(read(noId, free, 'price', null)).toMatchObject({ omitted: 4, prices: [] })
  expect(readOne({ ...yearly, currency: undefined })).toMatchObject({ currency: '' })
})

test.each<[string, (plan: object, care: object) => unknown]>([
  ['by type', (plan, care) => ({ plans: [plan], options: [care] })],
  [
    'by currency',
    (plan, care) => ({
      EUR: [
        { ...plan, currency: undefined },
        { ...care, type: 'option' },
      ],
    }),
  ],
  ['of one name in an envelope', (plan, care) => ({ data: { prices: [plan, { ...care, type: 'option' }] } })],
])('prices come in lists %s', (_, body) => {
  const care = { ...once, id: 'price_care', name: 'care', type: 'one_time', meta_data: { months: 0 } }
  const reading = readTolerantly(schema, JSON.parse(JSON.stringify(body({ ...yearly, type: 'recurring' }, care))))
  expect(reading).toMatchObject({ ok: true, omitted: 0, value: [yearly, { ...care, type: 'option' }] })
})

test('a single price is read, whatever lists it contains', () => {
  const product = { id: 'prod_1', images: ['a.png'], marketing_features: [] }
  expect(readTolerantly(schema, { ...yearly, product, images: ['a.png'] })).toMatchObject({ ok: true, value: [yearly] })
})

describe('a payment session', () => {
  const session = { public_key: 'pk_1', id: 'cs_1' }
  const url = 'https://checkout.stripe.com/c/pay/cs_1'
  test.each<[object, object]>([
    [session, session],
    [{ publicKey: 'pk_1', sessionId: 'cs_1' }, session],
    [{ publishable_key: 'pk_1', session_id: 'cs_1' }, session],
    [{ publishableKey: 'pk_1', id: 12, sessionId: 'cs_1' }, session],
    [{ public_key: 'pk_1', session: 'cs_1' }, session],
    [
      { public_key: 'pk_1', session: { id: 'cs_1', object: 'checkout.session', url } },
      { ...session, url },
    ],
    [{ data: { ...session, url } }, { ...session, url }],
    [{ ...session, url: null }, session],
    [
      { id: 'cs_1', object: 'checkout.session', url },
      { public_key: '', id: 'cs_1', url },
    ],
    [{ checkout_url: url }, { public_key: '', id: '', url }],
  ])('%j', (body, taken) => {
    expect(readTolerantly(api.subscriptions.pay.response[200], body)).toMatchObject({ ok: true, value: taken })
  })

  test('a checkout session without an id and an address is unreadable', () => {
    expect(readTolerantly(api.subscriptions.pay.response[200], { public_key: 'pk_1' }).ok).toBe(false)
  })
})
