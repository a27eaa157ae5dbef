import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { orders } from '#db/schema/commerce.ts'
import { devices, stockItems } from '#db/schema/devices.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { signInStaffAs } from '#server/operator/staff/sign-in.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { operateOrders } from './orders-command.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const { delivered, shipping, inProgress } = SEED.orders
const PARCEL = { carrier: 'DHL', tracking: '0034 0434 161094' }

let portal: Portal
let nora: Record<string, string>
beforeEach(async () => {
  portal = await startPortal()
  nora = await signInStaffAs(portal.world, { email: 'nora@shop.example', name: 'Nora King', role: 'stock' })
  await portal.world.db.write('everything', (tx) =>
    tx.insert(stockItems).values([
      { identifier: '9700000001', serial: 'TX000000001', type: 'tracker_02', boardName: 'Board 02' },
      { identifier: '9700000002', serial: 'TX000000002', type: 'tracker_02', boardName: 'Board 02' },
    ]),
  )
  return () => portal[Symbol.asyncDispose]()
})

const list = async (query = '') => {
  const { body } = await portal.call(null, 'GET', `/operator/api/orders/${query}`, undefined, nora)
  return body.orders.map(({ reference }: { reference: string }) => reference)
}
const step = (reference: string, deed: string, body: object = {}, headers = {}) =>
  portal.call(null, 'POST', `/operator/api/orders/${reference}/${deed}/`, body, { ...nora, ...headers })
const read = async (reference: string) => (await portal.call(null, 'GET', `/operator/api/orders/${reference}/`, undefined, nora)).body
const readAsOwner = async (reference: string) => (await portal.call(ALICE, 'GET', `/users/orders/${reference}/`)).body
const findStock = async (identifier: string) => {
  const [item] = await portal.world.db.read.select().from(stockItems).where(eq(stockItems.identifier, identifier))
  return item!
}

test('orders are listed newest first, by state, and found by number, mail, name, parcel and invoice', async () => {
  expect(await list()).toEqual([inProgress, shipping, delivered])
  expect(await list('?state=to_pick')).toEqual([inProgress])
  expect(await list('?state=shipping')).toEqual([shipping])
  expect(await list('?state=returned')).toEqual([])
  for (const search of ['alice@', 'Almeida', 'alice almeida', 'ALMEIDA ALICE']) expect(await list(`?search=${search}`)).toHaveLength(3)
  expect(await list('?search=ORD-1002')).toEqual([shipping])
  expect(await list('?search=1003')).toEqual([inProgress])
  expect(await list('?search=00340434161094')).toEqual([shipping])
  expect(await list('?search=INV-1001')).toEqual([delivered])
  expect(await list('?search=nobody@')).toEqual([])
})

test('a list of many orders comes page by page, in which each order stands once', async () => {
  const [template] = await portal.world.db.read.select().from(orders).where(eq(orders.reference, inProgress))
  const many = Array.from({ length: 120 }, (_, index) => ({ ...template!, reference: `ORD-${2000 + index}` }))
  await portal.world.db.write('everything', (tx) => tx.insert(orders).values(many))
  const seen: string[] = []
  for (let after = ''; after !== 'end'; ) {
    const { body } = await portal.call(null, 'GET', `/operator/api/orders/?state=to_pick${after && `&after=${after}`}`, undefined, nora)
    seen.push(...body.orders.map(({ reference }: { reference: string }) => reference))
    after = body.next ?? 'end'
  }
  expect(seen).toHaveLength(121)
  expect(new Set(seen).size).toBe(121)
  expect(seen).toEqual(seen.toSorted().toReversed())
})

test('an order is picked, shipped and delivered, and its owner sees carrier and parcel and gets one mail', async () => {
  expect((await step(inProgress, 'pick', { items: ['97000000-01'] })).body).toMatchObject({
    state: 'picked',
    items: [{ identifier: '97000000-01', claimed: false }],
  })
  expect((await findStock('9700000001')).orderReference).toBe(inProgress)
  expect((await step(inProgress, 'ship', PARCEL)).body).toMatchObject({ state: 'shipping', tracking: '00340434161094' })
  expect(await readAsOwner(inProgress)).toMatchObject({
    status: 'shipping',
    carrier: 'DHL',
    tracking: '00340434161094',
    tracking_url: 'https://www.dhl.com/en/home/tracking.html?tracking-id=00340434161094',
    shipped_at: expect.any(String),
  })
  expect((await step(inProgress, 'deliver')).body).toMatchObject({ state: 'delivered' })
  expect(await readAsOwner(inProgress)).toMatchObject({ status: 'delivered', delivered_at: expect.any(String) })
  const mails = (await portal.call(null, 'GET', `/mock/mail?to=${ALICE}`)).body as { subject: string }[]
  expect(mails.filter(({ subject }) => subject === `Your order ${inProgress} is on its way`)).toHaveLength(1)
})

test('a step that is not possible is refused and names the state', async () => {
  const refused = { status: 409, body: { code: 'wrong_step' } }
  expect(await step(inProgress, 'deliver')).toMatchObject({ ...refused, body: { state: 'to_pick' } })
  expect(await step(inProgress, 'return')).toMatchObject(refused)
  for (const deed of ['pick', 'ship'] as const) expect(await step(shipping, deed, deed === 'ship' ? PARCEL : {})).toMatchObject(refused)
  // The order of a subscription, with which nothing was sent.
  for (const deed of ['deliver', 'return']) expect(await step(delivered, deed)).toMatchObject(refused)
  expect((await step('ORD-9999', 'deliver')).status).toBe(404)
  expect(await step(inProgress, 'ship', { carrier: '' })).toMatchObject({
    status: 400,
    body: { errors: { carrier: [expect.any(String)] } },
  })
})

test('an item that is unknown, blocked, sent or on an account is not picked', async () => {
  expect(await step(inProgress, 'pick', { items: ['TR-UNKNOWN'] })).toMatchObject({ status: 400, body: { code: 'not_in_stock' } })
  await portal.world.db.write('everything', (tx) =>
    tx.update(stockItems).set({ blockedAt: portal.clock.now() }).where(eq(stockItems.identifier, '9700000002')),
  )
  expect(await step(inProgress, 'pick', { items: ['TX000000002'] })).toMatchObject({ status: 409, body: { code: 'in_use' } })
  expect(await step(inProgress, 'pick', { items: ['TX000000001', '9700000001'] })).toMatchObject({ status: 400 })
  expect((await read(inProgress)).state).toBe('to_pick')
})

test('a returned order puts its free items back into the stock', async () => {
  await step(inProgress, 'pick', { items: ['TX000000001', 'TX000000002'] })
  await step(inProgress, 'ship', PARCEL)
  await portal.world.db.write('everything', (tx) =>
    tx.update(devices).set({ identifier: '9700000002', serial: 'TX000000002' }).where(eq(devices.id, SEED.devices.oldTracker)),
  )
  expect((await read(inProgress)).items).toMatchObject([{ claimed: false }, { claimed: true }])
  expect((await step(inProgress, 'return')).body).toMatchObject({ state: 'returned', items: [] })
  expect((await findStock('9700000001')).orderReference).toBeNull()
  expect(await readAsOwner(inProgress)).toMatchObject({ status: 'shipping', returned_at: expect.any(String) })
  expect(await list('?state=returned')).toEqual([inProgress])
  expect(await step(inProgress, 'return')).toMatchObject({ status: 409 })
})

test('a repeat with the same Idempotency-Key mails once, and two members of staff ship an order once', async () => {
  const key = { 'idempotency-key': 'parcel-7' }
  const first = await step(inProgress, 'ship', PARCEL, key)
  expect(await step(inProgress, 'ship', PARCEL, key)).toMatchObject({ status: 200, body: first.body })
  expect((await step(inProgress, 'ship', PARCEL)).status).toBe(409)
})

test('a list of orders is shipped after a preview: the others ship when one fails, and a repeat sends no second mail', async () => {
  const orders = [
    { order: shipping, ...PARCEL },
    { order: 'ORD-9999', ...PARCEL },
    { order: inProgress, carrier: 'DPD', tracking: '01 23' },
    { order: inProgress, carrier: 'DPD' },
  ]
  const send = async (path: string, body: object, headers = {}) =>
    (await portal.call(null, 'POST', `/operator/api/orders/${path}`, body, { ...nora, ...headers })).body.shipments
  const outcomes = (shipments: { outcome: string }[]) => shipments.map(({ outcome }) => outcome)
  expect(outcomes(await send('ship/preview/', { orders }))).toEqual(['already', 'not_found', 'ready', 'duplicate'])
  expect((await read(inProgress)).state).toBe('to_pick')
  const key = { 'idempotency-key': 'round-7' }
  const first = await send('ship/', { orders }, key)
  expect(outcomes(first)).toEqual(['already', 'not_found', 'shipped', 'duplicate'])
  expect(first[2]).toEqual({ order: inProgress, carrier: 'DPD', tracking: '0123', outcome: 'shipped' })
  expect(await send('ship/', { orders }, key)).toEqual(first)
  expect(outcomes(await send('ship/', { orders }))).toEqual(['already', 'not_found', 'already', 'duplicate'])
  const other = [{ order: inProgress, carrier: 'DPD', tracking: '99' }]
  expect(outcomes(await send('ship/preview/', { orders: other }))).toEqual(['wrong_step'])
  const mails = (await portal.call(null, 'GET', `/mock/mail?to=${ALICE}`)).body as { subject: string }[]
  expect(mails.filter(({ subject }) => subject === `Your order ${inProgress} is on its way`)).toHaveLength(1)
  expect(await portal.call(null, 'POST', '/operator/api/orders/ship/', { orders: [] }, nora)).toMatchObject({ status: 400 })
})

test('the operator ships the orders of a file, and a line that cannot be read ships none', async () => {
  const lines: string[] = []
  const run = (...args: string[]) => operateOrders({ ...portal.world, print: (line) => void lines.push(line) }, args)
  const folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-parcels-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'parcels.csv')
  writeFileSync(file, `order,carrier,parcel\n${inProgress},DPD,0123\n`)
  expect(await run('ship', `--file=${file}`, '--check')).toBe(true)
  expect((await read(inProgress)).state).toBe('to_pick')
  expect(await run('ship', `--file=${file}`)).toBe(true)
  expect(lines).toEqual([`${inProgress}: ready`, `${inProgress}: shipped`])
  writeFileSync(file, 'ORD-1001\n')
  await expect(run('ship', `--file=${file}`)).rejects.toThrow('Nothing was shipped')
})

test('finance and support see orders and take no step', async () => {
  for (const role of ['finance', 'support'] as const) {
    nora = await signInStaffAs(portal.world, { email: `${role}@shop.example`, name: role, role })
    expect(await list()).toHaveLength(3)
    expect((await step(inProgress, 'ship', PARCEL)).status).toBe(403)
  }
})

test('the operator ships an order by a command, and reads why a step is refused', async () => {
  const lines: string[] = []
  const run = (...args: string[]) => operateOrders({ ...portal.world, print: (line) => void lines.push(line) }, args)
  expect(await run('ship', inProgress)).toBe(false)
  expect(await run('ship', inProgress, '--carrier=DPD', '--tracking', '0123')).toBe(true)
  expect(lines).toEqual([`${inProgress} is now: shipping.`])
  await expect(run('ship', inProgress, '--carrier=DPD')).rejects.toThrow('another state')
  expect(await run('list', 'shipping')).toBe(true)
  expect(lines.slice(1).map((line) => JSON.parse(line).reference)).toEqual([inProgress, shipping])
  expect(await run('show', 'no-such-order')).toBe(false)
})
