import { describe, expect, test } from 'vitest'
import type { Price } from '#contracts/billing/subscriptions.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import {
  addOption,
  buildCart,
  cartPath,
  choosePlan,
  EMPTY_CART,
  listLines,
  listPlans,
  parseRequestedItems,
  type RequestedItem,
  readReturn,
  removeOption,
  returnPath,
  selectTracker,
  sumByPeriod,
} from './cart.ts'
import { buildOffer, priceTerm } from './offer.ts'

const price = (id: string, unit_amount: number, change: Partial<Price> = {}): Price => ({
  id,
  type: 'plan',
  name: id,
  currency: 'eur',
  unit_amount,
  tax_behavior: 'inclusive',
  recurring: null,
  meta_data: { months: 12 },
  ...change,
})
const month = price('month', 199, { meta_data: { months: '1' } })
const year = price('year', 1495, { meta_data: { months: '12', extra: '1' } })
const care = price('care', 990, { type: 'option', meta_data: { months: 0 } })
const sums = (cart: Parameters<typeof listLines>[0]) => sumByPeriod(listLines(cart).map((line) => line.price)).map(({ amount }) => amount)
const offer = { plans: [month, year], options: [care] }

describe('cart', () => {
  test('R-4.22 selecting a tracker sets it to zero months and deducts its price from the total', () => {
    const two = choosePlan(choosePlan(EMPTY_CART, 2, year), 3, month)
    expect([priceTerm(two.plans[2] ?? null).months, sums(two)]).toEqual([12, [1694]])
    const reset = selectTracker(addOption(two, 2, care), 2)
    expect([priceTerm(reset.plans[2] ?? null).months, sums(reset), listPlans(reset).length]).toEqual([0, [199], 1])
  })

  test('prices with different renewal periods are not added up', () => {
    const monthly = price('monthly', 199, { recurring: { interval: 'month', interval_count: 1 } })
    expect(sums(choosePlan(choosePlan(choosePlan(EMPTY_CART, 2, year), 3, monthly), 4, monthly))).toEqual([1495, 398])
  })

  test('R-4.24 the requested plan is chosen, or else the first one; without plans the cart stays empty', () => {
    const plans = (text: string) =>
      listPlans(buildCart(parseRequestedItems(text), [], offer)).map(({ device, price: { id } }) => [device, id])
    expect(plans('2')).toEqual([[2, 'month']])
    expect(plans('2.year,9.gone')).toEqual([
      [2, 'year'],
      [9, 'month'],
    ])
    expect(buildCart(parseRequestedItems('2'), [], { plans: [], options: [] })).toEqual(EMPTY_CART)
  })

  test('R-4.25 an option is added once, and removing an option that is not in the cart changes nothing', () => {
    const once = addOption(EMPTY_CART, 2, care)
    expect(addOption(once, 2, care).options).toHaveLength(1)
    expect(addOption(once, 3, care).options).toHaveLength(2)
    expect(removeOption(once, 2, care).options).toEqual([])
    expect(removeOption(once, 3, care)).toEqual(once)
  })

  test('an option from the URL is added only to a tracker with a plan', () => {
    const options = (text: string) =>
      buildCart(parseRequestedItems('2'), parseRequestedItems(text), offer).options.map(({ device }) => device)
    expect(options('2.care')).toEqual([2])
    expect(options('3.care')).toEqual([])
    expect(options('2.year')).toEqual([])
  })
})

test('R-3.66 R-3.67 months and free months in text form are read as numbers', () => {
  expect([priceTerm(year), priceTerm(care), priceTerm(null)]).toEqual([
    { months: 12, extra: 1 },
    { months: 0, extra: 0 },
    { months: 0, extra: 0 },
  ])
})

test("only prices in the account's currency are offered", () => {
  const prices = [year, care, price('dollar', 1595, { currency: 'usd' }), price('yen', 1500, { currency: 'jpy' })]
  const ids = (currency: string) => Object.values(buildOffer(prices, currency, 'gbp')).map((each) => each.map(({ id }) => id))
  expect(ids('EUR')).toEqual([['year'], ['care']])
  expect(ids('usd')).toEqual([['dollar'], []])
  expect(ids('jpy')).toEqual([['yen'], []])
  expect(ids('chf')).toEqual([[], []])
})

describe('an account without a currency is offered', () => {
  const [euro, pound, dollar] = ['eur', 'gbp', 'usd'].map((currency) => price(currency, 1495, { currency }))
  const yen = price('jpy', 1500, { currency: 'jpy' })
  const poundOption = price('care', 990, { currency: 'gbp', type: 'option' })
  test.each<[string, Price[], string, string, string[]]>([
    ['the only currency of the prices', [pound!], '', 'usd', ['gbp']],
    ["that of the browser's country", [euro!, pound!, dollar!], '', 'gbp', ['gbp']],
    ['yen in Japan', [euro!, yen], '', 'jpy', ['jpy']],
    ['that of the first plan where nothing is sold in that of the country', [dollar!, euro!], '', 'gbp', ['usd']],
    ['that of the first plan where the country is unknown', [dollar!, euro!], '', '', ['usd']],
    ['no currency without plans', [euro!, poundOption], '', 'gbp', ['eur']],
    ['the same where its currency is no code', [pound!, euro!], '€', 'eur', ['eur']],
    ['nothing without prices', [], '', 'eur', []],
  ])('%s', (_, prices, own, local, currencies) => {
    expect(buildOffer(prices, own, local).plans.map(({ currency }) => currency)).toEqual(currencies)
  })
})

test('a price that is not an option is a plan, whatever its backend calls it', () => {
  const types = ['plan', 'recurring', 'one_time', 'option', 'unknown', '']
  const { plans, options } = buildOffer(
    types.map((type) => price(type, 199, { type })),
    'eur',
    '',
  )
  expect([plans, options].map((each) => each.map(({ type }) => type))).toEqual([
    ['plan', 'recurring', 'one_time', 'unknown', ''],
    ['option'],
  ])
})

describe('cart in the URL', () => {
  test('readWishes parses trackers and prices and ignores empty and duplicate parts', async () => {
    const rows: [string | null, RequestedItem[]][] = [
      ['2', [{ device: 2, price: null }]],
      [
        '2.eur-12m,9',
        [
          { device: 2, price: 'eur-12m' },
          { device: 9, price: null },
        ],
      ],
      ['2,2.eur-12m', [{ device: 2, price: null }]],
      ['ab-12.eur-12m,.eur-12m,,', [{ device: 'ab-12' as unknown as number, price: 'eur-12m' }]],
      [null, []],
    ]
    const failures = await collectFailures(
      rows,
      ([text]) => String(text),
      ([text, wishes]) => expect(parseRequestedItems(text)).toEqual(wishes),
    )
    expect(failures).toEqual([])
  })

  test('the URL of a cart restores the same cart', () => {
    const cart = addOption(choosePlan(EMPTY_CART, 2, year), 2, care)
    const query = new URLSearchParams(cartPath(cart, { checkout: 'cancel' }).split('?')[1])
    expect(query.get('checkout')).toBe('cancel')
    expect(buildCart(parseRequestedItems(query.get('devices')), parseRequestedItems(query.get('options')), offer)).toEqual(cart)
  })
})

test('the tab stores the trackers of a large purchase, because the return URL would be too long', () => {
  const devices = Array.from({ length: 200 }, (_, index) => 1000 + index).join()
  expect(returnPath('/subscription?checkout=success&devices=2&before=', 'success')).toContain('devices=2')
  expect(returnPath(`/subscription?checkout=success&devices=${devices}`, 'success')).toBe('/subscription?checkout=success')
  expect(readReturn(new URLSearchParams('checkout=success')).get('devices')).toBe(devices)
  expect(readReturn(new URLSearchParams('checkout=cancel')).has('devices')).toBe(false)
  expect(readReturn(new URLSearchParams('checkout=success&devices=7')).get('devices')).toBe('7')
})
