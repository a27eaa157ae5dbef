import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { parsePrices } from './price-list.ts'
import { listPrices, savePrices } from './prices.store.ts'

const plan = { id: 'eur-6m', type: 'plan', name: '6 months', currency: 'eur', unitAmount: 899, taxBehavior: 'inclusive' }
const PLAN = { ...plan, interval: 'month', intervalCount: 6, months: 6, extra: 0 }

test('a saved price list is what is on sale, and earlier prices stay readable', async () => {
  await using portal = await startPortal()
  const before = await listPrices(portal.world.db.read)
  await portal.world.db.write('everything', (tx) => savePrices(tx, parsePrices(JSON.stringify([PLAN]))))
  const after = await listPrices(portal.world.db.read)
  expect(after.filter(({ isOffered }) => isOffered)).toEqual([{ ...PLAN, isOffered: true }])
  expect(after).toHaveLength(before.length + 1)
  await portal.world.db.write('everything', (tx) => savePrices(tx, parsePrices(JSON.stringify([{ ...PLAN, unitAmount: 799 }]))))
  expect((await listPrices(portal.world.db.read)).find(({ id }) => id === PLAN.id)?.unitAmount).toBe(799)
})

test('a price list with a mistake is refused as a whole, with the place of the mistake', async () => {
  const rows = [
    ['', 'the file'],
    ['{}', 'the file'],
    ['[]', 'the file'],
    [JSON.stringify([PLAN, PLAN]), 'the file'],
    [JSON.stringify([{ ...PLAN, unitAmount: 8.99 }]), '0.unitAmount'],
    [JSON.stringify([{ ...PLAN, currency: 'chf' }]), '0.currency'],
    [JSON.stringify([PLAN, { ...PLAN, id: 'a b' }]), '1.id'],
  ] as const
  const failures = await collectFailures(
    rows,
    ([text]) => text,
    ([text, place]) => expect(() => parsePrices(text)).toThrow(`The price list cannot be used: ${place}`),
  )
  expect(failures).toEqual([])
})
