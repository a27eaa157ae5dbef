import { describe, expect, test } from 'vitest'
import type { User } from '#contracts/accounts/users.ts'
import { Price } from '#contracts/billing/subscriptions.ts'
import { CURRENCIES } from '#contracts/lib/currencies.ts'
import { chargeStep, hasTaxNote } from '#contracts/rules/price.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { emailOf, startSharedPortal } from './testing.ts'

const { portal, read } = await startSharedPortal()
const prices = await read<Price[]>('alice', '/users/tracker_prices')
const plans = (currency: string) => prices.filter((price) => price.currency === currency && price.type === 'plan')
const options = (currency: string) => prices.filter((price) => price.currency === currency && price.type === 'option')
const every = (interval: 'month' | 'year', interval_count: number) => ({ interval, interval_count })
const pay = (key: string, items: readonly { device: number; price: string }[]) =>
  portal.call(emailOf(key), 'POST', '/users/payment_session/', { items })

describe('prices on sale', () => {
  test('R-3.64 R-3.71 R-3.72 R-3.73 every plan has the expected amount, interval and months', async () => {
    const rows = [
      ['eur-1m', 199, 1, 0, every('month', 1)],
      ['eur-3m', 499, 3, 0, every('month', 3)],
      ['eur-12m', 1495, 12, 0, every('year', 1)],
      ['eur-12m-once', 1695, 12, 0, null],
      ['eur-24m', 2490, 24, 1, every('year', 2)],
      ['usd-1m', 219, 1, 0, every('month', 1)],
      ['usd-12m', 1595, 12, 0, every('year', 1)],
      ['usd-24m', 2695, 24, 0, every('year', 2)],
      ['gbp-1m', 179, 1, 0, every('month', 1)],
      ['gbp-12m', 1295, 12, 0, every('year', 1)],
      ['gbp-24m', 2195, 24, 0, every('year', 2)],
      ['huf-12m', 599_000, 12, 0, every('year', 1)],
      ['jpy-12m', 2500, 12, 0, every('year', 1)],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([id]) => id,
        ([id, unit_amount, months, extra, recurring]) => {
          expect(prices.find((price) => price.id === id)).toMatchObject({
            type: 'plan',
            unit_amount,
            recurring,
            meta_data: { months, extra },
          })
        },
      ),
    ).toEqual([])
  })

  test('R-3.62 the only option in every currency is care, paid once', async () => {
    const rows = [
      ['eur', 990],
      ['usd', 1090],
      ['gbp', 890],
      ['chf', 1090],
      ['jpy', 1600],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([currency]) => currency,
        ([currency, unit_amount]) => {
          expect(options(currency)).toMatchObject([{ name: 'care', unit_amount, recurring: null, meta_data: { months: 0 } }])
        },
      ),
    ).toEqual([])
  })

  test('R-9.20 no three-year plan is on sale', () => {
    expect(prices.filter(({ meta_data }) => Number(meta_data.months) === 36)).toEqual([])
    expect(prices).toHaveLength(6 + 4 * (CURRENCIES.length - 1))
  })

  test('R-3.65 R-3.74 only prices in dollars carry the note that tax is not included', () => {
    for (const price of prices)
      expect({ id: price.id, note: hasTaxNote(price.tax_behavior) }).toEqual({ id: price.id, note: price.currency === 'usd' })
  })

  test('R-3.63 something is sold in every currency that an account can have, in amounts that can be charged', () => {
    expect(new Set(prices.map(({ currency }) => currency))).toEqual(new Set(CURRENCIES))
    for (const { unit_amount, currency } of prices) expect(unit_amount % chargeStep(currency)).toBe(0)
  })

  test('plans are listed by ascending months, options after them', () => {
    const months = prices.flatMap(({ type, meta_data }) => (type === 'plan' ? [Number(meta_data.months)] : []))
    expect(months).toEqual(months.toSorted((a, b) => a - b))
    expect(prices.map(({ type }) => type)).toEqual([...months.map(() => 'plan'), ...CURRENCIES.map(() => 'option')])
  })

  test('every price satisfies the contract exactly', () => {
    for (const price of prices) expect(Price.parse(price)).toEqual(price)
  })

  test('the price list is the same for every user', async () => {
    expect(
      await collectFailures(['bruno', 'erika', 'usha', 'admin'], String, async (key) => {
        expect(await read(key, '/users/tracker_prices/')).toEqual(prices)
      }),
    ).toEqual([])
  })
})

describe('prices by currency of the user', () => {
  test('users can choose between the plans in their currency', async () => {
    const rows = [
      ['alice', 5],
      ['george', 3],
      ['usha', 3],
      ['haruka', 3],
      ['erika', 3],
      ['olga', 3],
      ['zoe', 3],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([key]) => key,
        async ([key, count]) => {
          const { currency } = await read<User>(key, '/users/me/')
          expect(plans(currency)).toHaveLength(count)
        },
      ),
    ).toEqual([])
  })
})

describe('purchases by tracker', () => {
  const { george, spareTracker, rex, companyVan, misty } = SEED.devices

  test('R-3.84 R-7.17 george can renew the ended subscription of his car', async () => {
    const answer = await pay('george', [{ device: george, price: 'gbp-12m' }])
    expect(answer).toMatchObject({ status: 200, body: { public_key: expect.any(String), id: expect.any(String), url: expect.any(String) } })
  })

  test('R-6.6 purchases that are not allowed are refused with the reason', async () => {
    const rows = [
      ['Rex, which renews by itself', 'alice', [{ device: rex, price: 'eur-12m' }], 409, 'recurring_active'],
      ['the Company van, linked to a pro account', 'alice', [{ device: companyVan, price: 'eur-12m' }], 409, 'device_linked_to_pro'],
      ['the plan that is not sold any more', 'alice', [{ device: misty, price: 'eur-36m' }], 400, 'unknown_price'],
      [
        'two currencies at once',
        'alice',
        [
          { device: misty, price: 'eur-12m' },
          { device: spareTracker, price: 'usd-12m' },
        ],
        400,
        'mixed_currency',
      ],
      ['the tracker of somebody else', 'george', [{ device: misty, price: 'gbp-12m' }], 404, 'not_found'],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        async ([_, key, items, status, code]) => {
          expect(await pay(key, items)).toMatchObject({ status, body: { code } })
        },
      ),
    ).toEqual([])
  })
})
