import { expect, test } from 'vitest'
import { prices } from '#db/schema/commerce.ts'
import { createStripeFake } from '#server/mock/stripe/index.ts'
import { systemIds } from '#server/ports/ids.ts'
import { openPaymentWorld } from '#server/test/test-payments-world.ts'
import { syncCatalogue } from './sync-catalogue.ts'

test('the Stripe catalogue gets one product per price of the table, and follows its name and its availability', async () => {
  const rows = await (await openPaymentWorld()).db.read.select().from(prices)
  const { stripe } = createStripeFake({
    clock: { now: () => new Date('2026-03-02T09:00:00Z') },
    ids: systemIds,
    origin: 'http://portal.test',
  }).payments
  const first = await syncCatalogue(stripe, rows)
  expect(first).toHaveLength(rows.length + 1)
  expect(first).toEqual(expect.arrayContaining(['eur-12m: product made', 'billing portal set up']))
  expect(await syncCatalogue(stripe, rows)).toEqual([])

  const find = (id: string) => stripe.products.retrieve(`whereabouts_${id}`)
  expect(await find('eur-24m')).toMatchObject({ active: true, metadata: { price: 'eur-24m', months: '24' } })
  expect(await find('eur-36m')).toMatchObject({ active: false })
  const changed = rows.map((row) => (row.id === 'eur-24m' ? { ...row, name: 'Two years', isOffered: false, unitAmount: 2990 } : row))
  expect(await syncCatalogue(stripe, changed)).toEqual(['eur-24m: product changed'])
  expect(await find('eur-24m')).toMatchObject({ name: 'Two years', active: false })
  expect(await syncCatalogue(stripe, changed)).toEqual([])
})
