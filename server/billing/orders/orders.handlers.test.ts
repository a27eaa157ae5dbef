import { expect, test } from 'vitest'
import { orders } from '#db/schema/commerce.ts'
import { getPersona } from '#server/mock/seed/records/personas.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'

const ALICE = 'alice@example.com'
const ORDERS = '/users/orders/'
const { delivered, shipping, inProgress } = SEED.orders
const references = (body: { reference: string }[]) => body.map(({ reference }) => reference)

test('R-3.75 R-3.76 R-3.77 R-3.78 R-3.79 the orders of the account are listed newest first', async () => {
  await using portal = await startPortal()
  const { status, body } = await portal.call(ALICE, 'GET', ORDERS)
  expect([status, references(body)]).toEqual([200, [inProgress, shipping, delivered]])
  expect(body.map((order: { status: string }) => order.status)).toEqual(['in_progress', 'shipping', 'delivered'])
  expect(body[0]).toEqual({
    reference: inProgress,
    date: '2026-03-01T09:00:00Z',
    status: 'in_progress',
    total: 4980,
    currency: 'eur',
    invoice: null,
  })
  expect(body[2]).toMatchObject({ total: 1495, invoice: SEED.invoices.aliceFirst })
})

test('orders with the same date are listed newest first', async () => {
  await using portal = await startPortal()
  const order = { accountId: getPersona('dario').accountId, date: new Date('2026-02-01T00:00:00Z'), status: 'delivered' as const }
  const rows = ['ORD-1', 'ORD-3', 'ORD-2'].map((reference) => ({ ...order, reference, total: 1, currency: 'eur', lines: [] }))
  await portal.world.db.write('everything', (tx) => tx.insert(orders).values(rows))
  expect(references((await portal.call('dario@example.com', 'GET', ORDERS)).body)).toEqual(['ORD-3', 'ORD-2', 'ORD-1'])
})

test('R-3.68 an order is shown with its lines and its tax', async () => {
  await using portal = await startPortal()
  const { status, body } = await portal.call(ALICE, 'GET', `${ORDERS}${inProgress}/`)
  expect(status).toBe(200)
  expect(body).toEqual({
    reference: inProgress,
    date: '2026-03-01T09:00:00Z',
    status: 'in_progress',
    total: 4980,
    currency: 'eur',
    invoice: null,
    lines: [{ label: '2 years – Family car', quantity: 2, unit_amount: 2490 }],
    tax: 864,
  })
})

test('R-6.9 an unknown order and one of another account are answered 404', async () => {
  await using portal = await startPortal()
  for (const [email, reference] of [
    [ALICE, 'ORD-9999'],
    [ALICE, encodeURIComponent("' or 1=1 --")],
    ['bruno@example.com', delivered],
    ['admin@pro.example.com', delivered],
  ] as const)
    expect(await portal.call(email, 'GET', `${ORDERS}${reference}/`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect((await portal.call('dario@example.com', 'GET', ORDERS)).body).toEqual([])
})

test('support reads the orders of all accounts, a team member none', async () => {
  await using portal = await startPortal()
  const { world } = portal
  expect((await portal.call('support@example.com', 'GET', ORDERS)).body).toHaveLength(await world.db.read.$count(orders))
  expect((await portal.call('support@example.com', 'GET', `${ORDERS}${shipping}/`)).body.reference).toBe(shipping)
  for (const path of [ORDERS, `${ORDERS}${shipping}/`])
    expect(await portal.call('member@pro.example.com', 'GET', path)).toMatchObject({ status: 403, body: { code: 'permission_denied' } })
})
