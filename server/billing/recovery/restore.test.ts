import { expect, test } from 'vitest'
import { countRecords, GOOD, item } from '#server/billing/subscriptions/test-purchase.ts'
import { getPersona } from '#server/mock/seed/records/personas.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { mailsTo } from '#server/test/test-mail.ts'
import { addTaxToCheckouts, BUYER, createPaymentTime, payCheckout } from '#server/test/test-payments-world.ts'
import { backUp, readPurchases, setRead, start } from './test-restore.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const { oldTracker, puppy, cityBike } = SEED.devices
const alice = getPersona('alice').accountId

/** Buys and pays; resolves after the webhooks have arrived. */
async function buy(portal: Portal, email: string, body: object) {
  const { status, body: answer } = await portal.call(email, 'POST', '/users/payment_session/', body)
  expect(status).toBe(200)
  expect(payCheckout(portal.world, answer.id, GOOD).outcome).toBe('paid')
  await start(portal.world)
}

const PURCHASES: Record<string, (portal: Portal) => Promise<unknown>> = {
  'a monthly plan for two trackers': (portal) => buy(portal, ALICE, { items: [item(oldTracker, 'eur-1m'), item(puppy, 'eur-1m')] }),
  'a year that is paid once, with an option': (portal) =>
    buy(portal, ALICE, { items: [item(oldTracker)], options: [item(oldTracker, 'eur-care')] }),
  'a monthly plan to whose checkout Stripe adds tax': async (portal) => {
    await addTaxToCheckouts(portal.world, 19)
    await buy(portal, ALICE, { items: [item(oldTracker, 'eur-1m')] })
  },
  'an option alone': (portal) => buy(portal, ALICE, { items: [item(puppy, 'eur-1m')], options: [item(puppy, 'eur-care')] }),
  'plans with free months in one cart': (portal) => buy(portal, ALICE, { items: [item(oldTracker, 'eur-24m'), item(puppy, 'eur-3m')] }),
  'two purchases one after the other': async (portal) => {
    await buy(portal, ALICE, { items: [item(oldTracker)] })
    portal.clock.set({ at: new Date('2026-03-05T09:00:00Z') })
    await buy(portal, ALICE, { items: [item(oldTracker, 'eur-1m'), item(puppy)] })
  },
  'a subscription with its renewals': async (portal) => {
    await buy(portal, ALICE, { items: [item(oldTracker, 'eur-1m')] })
    await createPaymentTime(portal.world)(new Date('2026-05-03T09:00:00Z'))
  },
}

test.each(Object.entries(PURCHASES))('%s that a restored backup does not know is granted again as it was, once', async (_, purchase) => {
  await using portal = await startPortal()
  await setRead(portal.world.db, portal.clock.now())
  const restore = await backUp(portal)
  await purchase(portal)
  const before = await readPurchases(portal.world.db, alice)
  const restored = await restore()
  expect(await readPurchases(restored.db, alice)).not.toEqual(before)
  await Promise.all([start(restored), start({ ...restored, db: { ...restored.db } })])
  expect(await readPurchases(restored.db, alice)).toEqual(before)
  await start(restored)
  expect(await readPurchases(restored.db, alice)).toEqual(before)
  expect(restored.logged).toEqual([])
})

test('the purchase of a customer that is newer than the backup is granted, and its receipt is not mailed again', async () => {
  await using portal = await startPortal()
  await setRead(portal.world.db, portal.clock.now())
  const restore = await backUp(portal)
  await buy(portal, BUYER.email, { items: [item(BUYER.device, BUYER.price)] })
  expect(await mailsTo(portal.world, BUYER.email, 'receipt')).toHaveLength(1)
  const before = await readPurchases(portal.world.db, BUYER.accountId)
  const restored = await restore()
  await start(restored)
  expect(await readPurchases(restored.db, BUYER.accountId)).toEqual(before)
  expect(await mailsTo(restored, BUYER.email, 'receipt')).toEqual([])
})

test('a restored database does not reuse an invoice number that Stripe already has', async () => {
  await using portal = await startPortal()
  await setRead(portal.world.db, portal.clock.now())
  const restore = await backUp(portal)
  await buy(portal, ALICE, { items: [item(oldTracker, 'eur-1m')] })
  await buy(portal, ALICE, { items: [item(puppy, 'eur-1m')] })
  const given = (await readPurchases(portal.world.db, alice)).invoices.map(({ number }) => number)
  const restored = await restore()
  const db = portal.world.db
  portal.world.db = restored.db
  const { body } = await portal.call(BUYER.email, 'POST', '/users/payment_session/', { items: [item(BUYER.device, BUYER.price)] })
  payCheckout(portal.world, body.id, GOOD)
  await start(restored)
  portal.world.db = db
  const [invoice] = (await readPurchases(restored.db, BUYER.accountId)).invoices
  expect(given).not.toContain(invoice!.number)
  expect((await readPurchases(restored.db, alice)).invoices.map(({ number }) => number)).toEqual(given)
})

test('a purchase that was refunded after the backup gets its order and invoice, but no service', async () => {
  await using portal = await startPortal()
  await setRead(portal.world.db, portal.clock.now())
  const restore = await backUp(portal)
  const before = await readPurchases(portal.world.db, alice)
  await buy(portal, ALICE, { items: [item(cityBike)] })
  const { stripe } = portal.world.payments
  const [charge] = (await stripe.charges.list({ customer: 'cus_seed_alice' })).data
  await stripe.refunds.create({ charge: charge!.id })
  const restored = await restore()
  const counts = await countRecords({ world: restored } as unknown as Portal)
  await start(restored)
  const after = await readPurchases(restored.db, alice)
  expect(after.trackers).toEqual(before.trackers)
  expect(await countRecords({ world: restored } as unknown as Portal)).toEqual([counts[0]! + 1, counts[1]! + 1, counts[2]])
  expect(restored.logged).toEqual([])
})

test('an erased account leaves none of its customers at Stripe, even if a restore or two servers have created several', async () => {
  await using portal = await startPortal()
  const { stripe } = portal.world.payments
  const first = await stripe.customers.retrieve('cus_seed_alice')
  const metadata = 'deleted' in first && first.deleted ? {} : (first as { metadata: Record<string, string> }).metadata
  const { id } = await stripe.customers.create({ email: 'alice.before@example.com', metadata })
  const other = await stripe.customers.create({ email: ALICE, metadata: { ...metadata, account_since: '1' } })
  expect((await portal.call(ALICE, 'DELETE', '/users/me/?profile=all')).status).toBe(200)
  await start(portal.world)
  for (const customer of ['cus_seed_alice', id]) expect(await stripe.customers.retrieve(customer)).toMatchObject({ deleted: true })
  // An earlier account that had the same id.
  expect(await stripe.customers.retrieve(other.id)).not.toHaveProperty('deleted')
})

test('renewals of a known subscription after the backup are saved once, with their numbers', async () => {
  await using portal = await startPortal()
  await buy(portal, ALICE, { items: [item(oldTracker, 'eur-1m')] })
  await setRead(portal.world.db, portal.clock.now())
  const restore = await backUp(portal)
  const atBackup = await readPurchases(portal.world.db, alice)
  await createPaymentTime(portal.world)(new Date('2026-05-03T09:00:00Z'))
  const before = await readPurchases(portal.world.db, alice)
  expect(before.invoices.length).toBeGreaterThan(atBackup.invoices.length)
  const restored = await restore()
  await start(restored)
  await start(restored)
  expect(await readPurchases(restored.db, alice)).toEqual(before)
  expect(restored.logged).toEqual([])
})

test('a running subscription whose session Stripe no longer lists is granted from its own metadata', async () => {
  await using portal = await startPortal()
  await setRead(portal.world.db, portal.clock.now())
  const restore = await backUp(portal)
  await addTaxToCheckouts(portal.world, 19)
  await buy(portal, ALICE, { items: [item(oldTracker, 'eur-1m')] })
  const before = await readPurchases(portal.world.db, alice)
  const restored = await restore()
  const { sessions } = restored.payments.stripe.checkout
  sessions.list = (() => ({ autoPagingToArray: async () => [] })) as unknown as typeof sessions.list
  await start(restored)
  await start(restored)
  const after = await readPurchases(restored.db, alice)
  expect([after.trackers, after.subscriptions]).toEqual([before.trackers, before.subscriptions])
  expect(after.invoices.map(({ number, amount, tax }) => [number, amount, tax])).toEqual(
    before.invoices.map(({ number, amount, tax }) => [number, amount, tax]),
  )
  expect(restored.logged).toEqual([])
})
