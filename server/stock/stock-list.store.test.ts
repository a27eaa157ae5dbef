import { eq, gt } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { listSorts } from '#contracts/operator/sorting.ts'
import { STOCK_SORTS, type StockItem } from '#contracts/operator/stock.ts'
import { accounts } from '#db/schema/accounts.ts'
import { devices, stockItems } from '#db/schema/devices.ts'
import { parsePageEnd } from '#server/lib/pages/page-end.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { signInStaffAs } from '#server/operator/staff/sign-in.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { explainQueries, openTestDb } from '#server/test/test-database.ts'
import { saveStockItems, setBlocked } from './stock.store.ts'
import { listStock, type StockFilter, selectStock } from './stock-list.store.ts'

type StockColumn = (typeof STOCK_SORTS)[number]
type Portal = Awaited<ReturnType<typeof startPortal>>
const list = async ({ world }: Portal, filter: Partial<StockFilter>) =>
  (await listStock(world.db.read, { limit: 100, ...filter })).map(({ identifier }) => identifier)

test('the stock is listed in pages, each beginning after the last identifier of the page before', async () => {
  await using portal = await startPortal()
  const all = await list(portal, {})
  expect(all).toEqual([...all].sort())
  expect(all.length).toBeGreaterThan(30)
  const pages: string[] = []
  for (let after: string | undefined, page = ['']; page.length > 0; after = page.at(-1)) {
    page = await list(portal, { after: parsePageEnd(after), limit: 7 })
    pages.push(...page)
  }
  expect(pages).toEqual(all)
})

test('the stock is filtered by state, type, batch and the beginning of a number', async () => {
  await using portal = await startPortal()
  await portal.world.db.write('everything', (tx) => setBlocked(tx, ['9000000002', '1000000001'], portal.clock.now()))
  const free = Array.from({ length: 10 }, (_, index) => `90000000${String(index + 1).padStart(2, '0')}`)
  expect(await list(portal, { state: 'in_stock' })).toEqual(free.filter((identifier) => identifier !== '9000000002'))
  expect(await list(portal, { state: 'blocked' })).toEqual(['1000000001', '9000000002'])
  expect(await list(portal, { state: 'claimed', search: '10000000' })).toHaveLength(17)
  expect(await list(portal, { batch: '2026-02' })).toEqual(free)
  expect(await list(portal, { type: 'triby', search: '9' })).toEqual(['9000000006'])
  expect(await list(portal, { search: '90000000-1' })).toEqual(['9000000010'])
  expect(await list(portal, { search: 'factory-000 07' })).toEqual(['9000000007'])
})

test('the few trackers in stock, or on accounts, are read from an index however many others there are', async () => {
  const db = await openTestDb('family')
  const items = Array.from({ length: 4000 }, (_, n) => ({
    ...{ identifier: String(9_100_000_000 + n), serial: `MANY${n}`, type: 'triby' as const, boardName: 'TRB1-A' },
  }))
  for (let from = 0; from < items.length; from += 500)
    await db.write('everything', (tx) => saveStockItems(tx, items.slice(from, from + 500)))
  const explain = async (state: 'in_stock' | 'claimed') => {
    await db.write('everything', (tx) =>
      tx
        .update(stockItems)
        .set({ isClaimed: state === 'in_stock' })
        .where(gt(stockItems.identifier, '9')),
    )
    const filters: Partial<StockFilter>[] = [{}, { after: parsePageEnd('9') }]
    return explainQueries(
      db,
      filters.map((filter) => selectStock(db.read, { ...filter, state, limit: 50 })),
    )
  }
  const plans = [...(await explain('in_stock')), ...(await explain('claimed'))]
  expect(plans.filter((plan) => !plan.includes('stock_items_by_claim'))).toEqual([])
  expect(plans.filter((plan) => plan.includes('USE TEMP B-TREE'))).toEqual([])
  await db.close()
})

test('the stock is sorted by each of its columns, and each page begins where the one before has ended', async () => {
  await using portal = await startPortal()
  const clerk = await signInStaffAs(portal.world, { email: 'c@shop.example', name: 'Cleo Clerk', role: 'stock' })
  const batches = ['Autumn_2', 'Spring', null]
  const items = Array.from({ length: 250 }, (_, n) => ({
    ...{ identifier: String(9_100_000_000 + n), serial: `MANY${String((n * 7) % 250).padStart(8, '0')}`, boardName: 'TRB1-A' },
    ...{ type: n % 3 ? ('triby' as const) : ('tracker_06' as const), includedMonths: n % 5, batch: batches[n % 3]! },
  }))
  await portal.world.db.write('everything', (tx) => tx.insert(stockItems).values(items))
  const read = async (sort: string) => {
    const seen: StockItem[] = []
    for (let after = ''; after !== 'end'; ) {
      const query = `?sort=${sort}${after && `&after=${encodeURIComponent(after)}`}`
      const { body } = await portal.call(null, 'GET', `/operator/api/stock/${query}`, undefined, clerk)
      seen.push(...body.items)
      after = body.next ?? 'end'
    }
    return seen
  }
  const values: Record<StockColumn, (item: StockItem) => string | number> = {
    identifier: (item) => item.identifier,
    serial: (item) => item.serial,
    type: (item) => item.type,
    batch: (item) => item.batch ?? '',
    months: (item) => item.months,
    added: (item) => item.added_at ?? '',
  }
  for (const column of STOCK_SORTS) {
    const up = await read(column)
    const shown = up.map(values[column])
    expect(shown, column).toEqual(shown.toSorted((a, b) => (a < b ? -1 : Number(a > b))))
    expect(new Set(up.map(({ identifier }) => identifier)).size).toBe(up.length)
    expect(up.length).toBeGreaterThan(280)
    expect(await read(`-${column}`)).toEqual(up.toReversed())
  }
  const wrong = await portal.call(null, 'GET', '/operator/api/stock/?sort=months&after=x_9100000000', undefined, clerk)
  expect(wrong).toMatchObject({ status: 400, body: { errors: { after: [expect.any(String)] } } })
})

test('each page of the sorted stock reads an index in its order', async () => {
  const db = await openTestDb('family')
  const items = Array.from({ length: 4000 }, (_, n) => ({
    ...{ identifier: String(9_100_000_000 + n), serial: `MANY${n}`, type: 'triby' as const, boardName: 'TRB1-A', includedMonths: n % 30 },
    ...{ batch: String(n % 30), addedAt: new Date(1_700_000_000_000 + n) },
  }))
  for (let from = 0; from < items.length; from += 500)
    await db.write('everything', (tx) => saveStockItems(tx, items.slice(from, from + 500)))
  const after = { value: '12', key: '9100000000' }
  const plans = await explainQueries(
    db,
    listSorts(STOCK_SORTS).flatMap((sort) => [selectStock(db.read, { sort, limit: 50 }), selectStock(db.read, { sort, after, limit: 50 })]),
  )
  expect(plans.filter((plan) => /USE TEMP B-TREE|Seq Scan on stock_items|"Sort"|-> {2}Sort/.test(plan))).toEqual([])
  await db.close()
})

test('a tracker is claimed while a tracker with its identifier is on an account, and in stock again afterwards', async () => {
  const db = await openTestDb('family')
  const stateOf = async (identifier: string) => (await listStock(db.read, { search: identifier, limit: 1 }))[0]?.state
  const isListed = async (identifier: string) => {
    const listed = await listStock(db.read, { search: identifier, state: 'claimed', limit: 1 })
    expect(await stateOf(identifier)).toBe(listed.length > 0 ? 'claimed' : 'in_stock')
    return listed.length > 0
  }
  const [rex] = await db.read.select().from(devices).where(eq(devices.id, SEED.devices.rex))
  const [old, free, later] = [rex!.identifier!, '9000000001', '9900000001']
  const { id: _, serial: __, ...copied } = rex!
  expect([await isListed(old), await isListed(free)]).toEqual([true, false])
  await db.write('everything', (tx) => tx.update(devices).set({ identifier: free }).where(eq(devices.id, rex!.id)))
  expect([await isListed(old), await isListed(free)]).toEqual([false, true])
  await db.write('everything', (tx) => tx.update(devices).set({ identifier: null }).where(eq(devices.id, rex!.id)))
  expect(await isListed(free)).toBe(false)
  const [added] = await db.write('everything', (tx) =>
    tx
      .insert(devices)
      .values({ ...copied, identifier: later })
      .returning(),
  )
  const item = { identifier: later, serial: 'LATER0000001', type: 'triby' as const, boardName: 'TRB1-A' }
  await db.write('everything', (tx) => saveStockItems(tx, [item]))
  expect(await isListed(later)).toBe(true)
  await db.write('everything', (tx) => saveStockItems(tx, [{ ...item, batch: 'again' }]))
  expect(await isListed(later)).toBe(true)
  await db.write('everything', (tx) => tx.delete(devices).where(eq(devices.id, added!.id)))
  expect(await isListed(later)).toBe(false)
  const ofAlice = (await db.read.select().from(stockItems).where(eq(stockItems.isClaimed, true))).length
  await db.write('everything', (tx) => tx.delete(accounts).where(eq(accounts.id, rex!.accountId)))
  expect((await db.read.select().from(stockItems).where(eq(stockItems.isClaimed, true))).length).toBeLessThan(ofAlice)
  await db.close()
})
