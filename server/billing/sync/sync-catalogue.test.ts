import { expect, test } from 'vitest'
import { prices } from '#db/schema/commerce.ts'
import { createStripeFake } from '#server/mock/stripe/stripe-fake.ts'
import { systemIds } from '#server/ports/ids.ts'
import { openPaymentWorld } from '#server/test/test-payments-world.ts'
import { syncCatalogue } from './sync-catalogue.ts'

test('the Stripe catalogue gets each price of the table once, and a changed amount becomes a new price', async () => {
  const rows = await (await openPaymentWorld()).db.read.select().from(prices)
  const { stripe } = createStripeFake({
    clock: { now: () => new Date('2026-03-02T09:00:00Z') },
    ids: systemIds,
    origin: 'http://portal.test',
  }).payments
  const first = await syncCatalogue(stripe, rows)
  expect(first).toHaveLength(2 * rows.length + 1)
  expect(first).toEqual(expect.arrayContaining(['eur-12m: product made', 'eur-12m: price made', 'billing portal set up']))
  expect(await syncCatalogue(stripe, rows)).toEqual([])

  const find = async (id: string) => (await stripe.prices.list({ lookup_keys: [id] })).data
  const [before] = await find('eur-24m')
  expect(before).toMatchObject({ unit_amount: 2490, product: 'whereabouts_eur-24m', recurring: { interval: 'year', interval_count: 2 } })
  expect(await find('eur-36m')).toMatchObject([{ active: false }])
  const dearer = rows.map((row) => (row.id === 'eur-24m' ? { ...row, unitAmount: 2990 } : row))
  expect(await syncCatalogue(stripe, dearer)).toEqual(['eur-24m: price replaced'])
  expect(await find('eur-24m')).toMatchObject([{ unit_amount: 2990, active: true }])
  expect(await stripe.prices.list({ product: before!.product as string, active: false })).toMatchObject({ data: [{ id: before!.id }] })
  expect(await syncCatalogue(stripe, dearer)).toEqual([])
})
