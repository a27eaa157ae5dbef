import { beforeEach, expect, test } from 'vitest'
import { withdrawals } from '#db/schema/returns.ts'
import { item, startCheckout, submitPayment } from '#server/billing/subscriptions/test-purchase.ts'
import { createPaymentWorker } from '#server/billing/sync/payment-worker.ts'
import { declareWithdrawal } from '#server/billing/withdrawals/withdraw.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { signInStaffAs } from '#server/operator/staff/sign-in.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { operateWithdrawals } from './withdrawals-command.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const API = '/operator/api/withdrawals/'
const { shipping } = SEED.orders

let portal: Portal
let kim: Record<string, string>
beforeEach(async () => {
  portal = await startPortal()
  kim = await signInStaffAs(portal.world, { email: 'kim@shop.example', name: 'Kim', role: 'finance' })
  return () => portal[Symbol.asyncDispose]()
})

const declare = (reference: string, email = ALICE) =>
  declareWithdrawal(portal.world, { days: 14, countries: null }, { reference, email, name: null, language: 'en' })
const get = async (query: string) => portal.call(null, 'GET', API + query, undefined, kim)
const list = async (query = '') => (await get(query)).body.withdrawals as { id: number; reference: string; money: string | null }[]
const references = async (query?: string) => (await list(query)).map(({ reference }) => reference)

test('a withdrawal is listed with its contract, and its money is under way until the refund is made', async () => {
  await submitPayment(portal, await startCheckout(portal, { items: [item(SEED.devices.oldTracker, 'eur-1m')] }))
  const [{ reference }] = (await portal.call(ALICE, 'GET', '/users/orders/')).body
  await declare(reference)
  const [shown] = await list()
  expect(shown).toMatchObject({
    reference,
    email: ALICE,
    outcome: 'refund',
    money: 'under_way',
    contract: { order: reference, customer: { email: ALICE }, contents: expect.stringContaining('1 × ') },
  })
  await createPaymentWorker()(portal.world)
  const details = (await get(`${shown!.id}/`)).body
  expect(details).toMatchObject({ money: 'back', ordered_at: expect.any(String), invoice: { credit_notes: [{ number: 'CN-1001' }] } })
  expect(details.invoice.refunded).toBe(details.invoice.amount)
  await declare(reference)
  expect(await list('?outcome=again')).toMatchObject([{ reference, money: null }])
})

test('the money of a device that was sent waits until its order came back', async () => {
  await declare(shipping)
  const [before] = await list('?outcome=return')
  const stock = await signInStaffAs(portal.world, { email: 'sam@shop.example', name: 'Sam', role: 'stock' })
  expect(before).toMatchObject({ money: 'waits' })
  await portal.call(null, 'POST', `/operator/api/orders/${shipping}/return/`, {}, stock)
  const [after] = await list('?outcome=return')
  expect((await get(`${after!.id}/`)).body).toMatchObject({ returned_at: expect.any(String), money: 'under_way' })
})

test('withdrawals are filtered by what follows, and found by number, address and name', async () => {
  await declare(shipping)
  await declare('INV-777', 'stranger@example.net')
  expect(await references()).toEqual(['INV-777', shipping])
  expect(await references('?outcome=unknown')).toEqual(['INV-777'])
  for (const search of ['777', 'inv-77', 'stranger@', 'STRANGER@example.net'])
    expect(await references(`?search=${search}`)).toEqual(['INV-777'])
  for (const search of [shipping, ALICE, 'Alice']) expect(await references(`?search=${search}`)).toEqual([shipping])
  expect(await references('?search=nobody')).toEqual([])
  expect(await get('?outcome=other')).toMatchObject({ status: 400 })
  expect(await get('?after=x')).toMatchObject({ status: 400 })
  expect((await get('987654/')).status).toBe(404)
})

test('pages follow each other without gaps or repeats, also among withdrawals of the same moment', async () => {
  const row = {
    email: ALICE,
    name: null,
    orderReference: null,
    accountId: null,
    outcome: 'unknown',
    receivedAt: portal.clock.now(),
  } as const
  const rows = Array.from({ length: 121 }, (_, at) => ({ ...row, reference: `ORD-${9000 + at}` }))
  await portal.world.db.write('everything', (tx) => tx.insert(withdrawals).values(rows))
  const seen: string[] = []
  for (let after: string | null = ''; after !== null; ) {
    const { body }: { body: { withdrawals: { reference: string }[]; next: string | null } } = await get(
      `?outcome=unknown${after && `&after=${after}`}`,
    )
    seen.push(...body.withdrawals.map(({ reference }) => reference))
    after = body.next
  }
  expect(seen).toEqual(rows.map(({ reference }) => reference).toReversed())
})

test('the stock role does not see withdrawals, and the operator lists them by a command', async () => {
  await declare(shipping)
  const lines: string[] = []
  const run = (...args: string[]) => operateWithdrawals({ db: portal.world.db, print: (line) => void lines.push(line) }, args)
  expect(await run('list', 'return', '--search=alice@')).toBe(true)
  const [first] = lines.map((line) => JSON.parse(line))
  expect(first).toMatchObject({ reference: shipping })
  expect(await run('show', String(first.id))).toBe(true)
  expect(JSON.parse(lines[1]!)).toMatchObject({ id: first.id, reference: shipping })
  await expect(run('show', '987654')).rejects.toThrow('no such withdrawal')
  expect(await run('list', 'other')).toBe(false)
  expect(await run('remove', '1')).toBe(false)
  kim = await signInStaffAs(portal.world, { email: 'sam@shop.example', name: 'Sam', role: 'stock' })
  expect((await get('')).status).toBe(403)
})
