import { expect, test } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { setBlocked } from './stock.store.ts'
import { listStock, type StockFilter } from './stock-list.store.ts'

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
    page = await list(portal, { after, limit: 7 })
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
