import { expect, test } from 'vitest'
import { CURRENCIES } from '#contracts/lib/currencies.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { PRICES_FORM, parsePrices } from './price-list.ts'
import { listPrices, savePrices } from './prices.store.ts'

const plan = { id: 'eur-6m', type: 'plan', name: '6 months', currency: 'eur', unitAmount: 899, taxBehavior: 'inclusive' }
const PLAN = { ...plan, interval: 'month', intervalCount: 6, months: 6, extra: 0 }

test('the prices of a saved price list are on sale, and earlier prices stay readable', async () => {
  await using portal = await startPortal()
  const before = await listPrices(portal.world.db.read)
  await portal.world.db.write('everything', (tx) => savePrices(tx, parsePrices(JSON.stringify([PLAN]))))
  const after = await listPrices(portal.world.db.read)
  expect(after.filter(({ isOffered }) => isOffered)).toEqual([{ ...PLAN, isOffered: true }])
  expect(after).toHaveLength(before.length + 1)
  await portal.world.db.write('everything', (tx) => savePrices(tx, parsePrices(JSON.stringify([{ ...PLAN, unitAmount: 799 }]))))
  expect((await listPrices(portal.world.db.read)).find(({ id }) => id === PLAN.id)?.unitAmount).toBe(799)
})

test('a price list with a mistake is refused completely, naming the entry, the field and the reason', async () => {
  const json = JSON.stringify
  const { months: _, ...withoutMonths } = PLAN
  const rows = [
    ['', 'the file: it is no JSON'],
    ['[{"id": "eur-6m",}]', 'the file: it is no JSON'],
    ['{}', 'the file: it is no list of prices'],
    ['[]', 'the file: it has no entry'],
    ['[7]', 'entry 1: give an object with the fields of a price'],
    [json([PLAN, PLAN]), 'entry 2 ("eur-6m"): id: another entry has it too'],
    [json([{ ...PLAN, unitAmount: 8.99 }]), 'entry 1 ("eur-6m"): unitAmount: Invalid input: expected int'],
    [json([{ ...PLAN, currency: 'isk' }]), 'entry 1 ("eur-6m"): currency: Invalid option: expected one of "eur"|"usd"|"gbp"|"chf"|'],
    [json([PLAN, { ...PLAN, id: 'huf-6m', currency: 'huf' }]), 'entry 2 ("huf-6m"): unitAmount: huf is charged in whole units'],
    [json([PLAN, { ...PLAN, id: 'a b' }]), 'entry 2 ("a b"): id: give 1 to 60 letters'],
    [json([withoutMonths]), 'entry 1 ("eur-6m"): months: it is missing'],
    [json([{ ...PLAN, price: 1 }]), 'entry 1 ("eur-6m"): price: there is no such field'],
    [json([{ ...PLAN, interval: null }]), 'entry 1 ("eur-6m"): intervalCount: give a number with an interval'],
  ] as const
  const failures = await collectFailures(
    rows,
    ([text]) => text,
    ([text, place]) => expect(() => parsePrices(text)).toThrow(`The price list cannot be used:\n  ${place}`),
  )
  expect(failures).toEqual([])
})

test('a price list may have prices in every currency that an account can have', () => {
  const list = CURRENCIES.map((currency) => ({ ...PLAN, id: `${currency}-6m`, currency, unitAmount: 89_900 }))
  expect(parsePrices(JSON.stringify(list))).toEqual(list)
})

test('the form of a price list that the help shows is accepted', () => {
  const shown = PRICES_FORM.slice(PRICES_FORM.indexOf('['))
  const example = shown.replaceAll(/ {2,}[a-z1].*$/gm, '').replace(/\n/g, ' ')
  expect(parsePrices(example)).toEqual([PLAN])
})
