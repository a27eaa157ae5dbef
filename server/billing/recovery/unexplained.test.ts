import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { orders } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import { reconcileSince } from '#server/billing/operator/reconcile-command.ts'
import { listUnexplained } from '#server/billing/records/unexplained.store.ts'
import { item } from '#server/billing/subscriptions/test-purchase.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { payCheckout } from '#server/test/test-payments-world.ts'
import { backUp, createLog, readPurchases, setRead, start } from './test-restore.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const GOOD = '4242 4242 4242 4242'
const { familyCar, oldTracker, puppy } = SEED.devices
const CENTS = { currency: 'eur', amount: 500 }

const chargeByHand = ({ world }: Portal, customer?: string) =>
  world.payments.stripe.paymentIntents.create({
    ...CENTS,
    ...(customer && { customer }),
    payment_method: 'pm_card_visa',
    confirm: true,
    return_url: 'http://shop.test/',
  })

const readMetric = async ({ app }: Portal) => /^payments_unexplained (\d+)$/m.exec((await app.inject({ url: '/metrics' })).body)?.[1]

/** Starts the portal's own world with a log. */
async function startLogged(portal: Portal) {
  const { logged, log } = createLog()
  await start({ ...portal.world, log })
  return logged
}

test('an unexplained charge is logged once and counted until it is refunded', async () => {
  await using portal = await startPortal()
  await start(portal.world)
  const { id: unknown } = await portal.world.payments.stripe.customers.create({ email: 'somebody@example.com' })
  const paid = [await chargeByHand(portal), await chargeByHand(portal, unknown), await chargeByHand(portal, 'cus_seed_alice')]
  const logged = await startLogged(portal)
  expect(logged.map(({ level, data }) => [level, data.customer, data.reason, data.amount])).toEqual(
    expect.arrayContaining([
      ['error', null, 'account', 500],
      ['error', unknown, 'account', 500],
      ['error', 'cus_seed_alice', 'purchase', 500],
    ]),
  )
  expect(logged).toHaveLength(3)
  expect(await readMetric(portal)).toBe('3')
  expect(await startLogged(portal)).toEqual([])
  for (const { id } of paid) await portal.world.payments.stripe.refunds.create({ payment_intent: id })
  await startLogged(portal)
  expect(await readMetric(portal)).toBe('0')
})

test('a paid tracker that the restored account lacks is an error until it is added again, and then it has its plan', async () => {
  await using portal = await startPortal()
  const { db } = portal.world
  await setRead(db, portal.clock.now())
  const restore = await backUp(portal)
  const { body } = await portal.call(ALICE, 'POST', '/users/payment_session/', { items: [item(oldTracker, 'eur-1m'), item(puppy)] })
  payCheckout(portal.world, body.id, GOOD)
  await start(portal.world)
  const restored = await restore()
  const [lost] = await restored.db.read.select().from(devices).where(eq(devices.id, puppy))
  await restored.db.write('everything', (tx) => tx.delete(devices).where(eq(devices.id, puppy)))
  await start(restored)
  expect(restored.logged).toMatchObject([{ level: 'error', data: { payment: body.id, reason: 'tracker' } }])
  const { id: _, ...again } = lost!
  await restored.db.write('everything', (tx) => tx.insert(devices).values({ ...again, createdAt: new Date(0) }))
  await start(restored)
  expect(await listUnexplained(restored.db.read)).toEqual([])
  const { subscriptions, orders } = await readPurchases(restored.db, lost!.accountId)
  expect(subscriptions.filter(({ provider_id }) => String(provider_id).startsWith('sub_test_'))).toHaveLength(1)
  expect(orders.filter(({ reference }) => String(reference) > 'ORD-1012')).toHaveLength(1)
})

test('a replacement that a restored backup does not know is sent to the address of its claim, whose tracker is gone', async () => {
  await using portal = await startPortal()
  await setRead(portal.world.db, portal.clock.now())
  const restore = await backUp(portal)
  const claim = { reason: 'broken', description: 'It fell from the roof.', delivery: 'Alice\nEllauri 350\nMontevideo' }
  expect((await portal.call(ALICE, 'POST', `/devices/${familyCar}/care_claim/`, claim)).status).toBe(201)
  const paths = { success_path: '/', cancel_path: '/' }
  const { body } = await portal.call(ALICE, 'POST', `/devices/${familyCar}/care_claim/payment_session/`, paths)
  payCheckout(portal.world, body.id, GOOD)
  await start(portal.world)
  const restored = await restore()
  await restored.db.write('everything', (tx) => tx.delete(devices).where(eq(devices.id, familyCar)))
  await start(restored)
  await start(restored)
  const sent = await restored.db.read.select().from(orders).where(eq(orders.delivery, claim.delivery))
  expect(sent).toMatchObject([{ accountId: 1, status: 'in_progress', total: 2495 }])
})

test('reconcile reads all customers from Stripe with its progress, and lists unexplained payments since the date', async () => {
  await using portal = await startPortal()
  await setRead(portal.world.db, portal.clock.now())
  await start(portal.world)
  const restore = await backUp(portal)
  const { body } = await portal.call(ALICE, 'POST', '/users/payment_session/', { items: [item(oldTracker, 'eur-1m')] })
  payCheckout(portal.world, body.id, GOOD)
  for (let nth = 0; nth < 120; nth++) await portal.world.payments.stripe.customers.create({ email: `other-${nth}@example.com` })
  const { id } = await chargeByHand(portal)
  const restored = await restore()
  const said: string[] = []
  const options = { since: new Date('2026-03-01T00:00:00Z'), print: (line: string) => void said.push(line), isServed: false }
  expect(await reconcileSince(restored, options)).toBe(true)
  expect(said.slice(0, 3)).toEqual([
    '100 customers, 0 purchases restored',
    expect.stringMatching(/^1\d\d customers, 1 purchases restored$/),
    'Done. 1 payments have no explanation.',
  ])
  const [charge] = (await portal.world.payments.stripe.charges.list({ payment_intent: id })).data
  expect(JSON.parse(said[3]!)).toMatchObject({ payment: charge!.id, customer: null, ...CENTS })
})

test.each([
  ['is older than the events that Stripe lists', '2026-01-20T00:00:00Z'],
  ['comes from a clock that was ahead', '2026-09-01T00:00:00Z'],
])('a purchase is also found when the saved instant of the last events %s', async (_, read) => {
  await using portal = await startPortal()
  const restore = await backUp(portal)
  const { body } = await portal.call(ALICE, 'POST', '/users/payment_session/', { items: [item(oldTracker, 'eur-1m')] })
  payCheckout(portal.world, body.id, GOOD)
  await start(portal.world)
  const before = await readPurchases(portal.world.db, 1)
  const restored = await restore()
  await setRead(restored.db, new Date(read))
  await start(restored)
  expect(await readPurchases(restored.db, 1)).toEqual(before)
})
