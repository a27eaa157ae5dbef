import { asc, desc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { invoices, orders, subscriptions, verificationCodes } from '#db/schema/commerce.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { CODES } from '#server/mock/seed/records/seed-secrets.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { ALICE, item, startCheckout, submitPayment } from './test-purchase.ts'

const { oldTracker, puppy, kitchen, cityBike } = SEED.devices
type Portal = Awaited<ReturnType<typeof startPortal>>

const buy = async (portal: Portal, device: number, price?: string) =>
  submitPayment(portal, await startCheckout(portal, { items: [item(device, price)] }))
const newest = async ({ world: { db } }: Portal, device: number) =>
  (await db.read.select().from(subscriptions).where(eq(subscriptions.deviceId, device)).orderBy(asc(subscriptions.id))).at(-1)

test('R-3.75 every purchase is an order with its own, consecutive reference', async () => {
  await using portal = await startPortal()
  const { read } = portal.world.db
  const before = new Set((await read.select().from(orders).orderBy(asc(orders.reference))).map(({ reference }) => reference))
  for (const device of [oldTracker, puppy, cityBike]) await buy(portal, device)
  const references = (await read.select().from(orders).orderBy(asc(orders.reference))).map(({ reference }) => reference)
  expect(new Set(references).size).toBe(references.length)
  const numbers = references.filter((one) => !before.has(one)).map((one) => Number(one.slice('ORD-'.length)))
  expect(numbers).toEqual([numbers[0], numbers[0]! + 1, numbers[0]! + 2])
})

test("R-3.76 R-3.79 an order is dated by the world's clock and leads to its invoice", async () => {
  await using portal = await startPortal()
  const at = new Date('2026-03-20T12:34:56Z')
  portal.clock.set({ at })
  await buy(portal, oldTracker)
  const { read } = portal.world.db
  const bought = (await read.select().from(orders).orderBy(asc(orders.reference))).at(-1)!
  const [invoice] = await read.select().from(invoices).where(eq(invoices.id, bought.invoiceId!))
  expect([bought.date, invoice!.date, invoice!.orderReference]).toEqual([at, at, bought.reference])
})

test('R-3.83 a paid invoice has the total as amount and a balance of 0', async () => {
  await using portal = await startPortal()
  await buy(portal, oldTracker)
  const [invoice] = await portal.world.db.read.select().from(invoices).orderBy(desc(invoices.id)).limit(1)
  expect(invoice).toMatchObject({ amount: 1695, balance: 0, status: 'paid', currency: 'eur' })
})

test('R-3.84 the payment session response has the public key and the session id, never the secret key', async () => {
  await using portal = await startPortal()
  const { body } = await portal.call(ALICE, 'POST', '/users/payment_session/', { items: [item(oldTracker)] })
  expect(body).toMatchObject({ public_key: expect.stringMatching(/^pk_test_/), id: expect.stringMatching(/^cs_/) })
  expect(JSON.stringify(body)).not.toMatch(/sk_test_|whsec_/)
})

test('R-3.70 a renewing subscription has a renewal date, a one-time purchase has none', async () => {
  await using portal = await startPortal()
  await buy(portal, oldTracker, 'eur-1m')
  expect(await newest(portal, oldTracker)).toMatchObject({ isRecurring: true, renewsAt: new Date('2026-04-02T09:00:00Z') })
  await buy(portal, puppy, 'eur-12m-once')
  expect(await newest(portal, puppy)).toMatchObject({ isRecurring: false, renewsAt: null })
  const linked = await portal.call(ALICE, 'GET', `/devices/${kitchen}/activate_subscription/?code=${CODES.valid}`)
  expect(linked.body.subscription).toMatchObject({ type: 'one_time', renewal_date: null })
})

test('R-3.73 free months are included in the end date', async () => {
  await using portal = await startPortal()
  await buy(portal, oldTracker, 'eur-24m')
  expect(await newest(portal, oldTracker)).toMatchObject({ months: 24, extra: 1, endsAt: new Date('2028-04-02T09:00:00Z') })
})

test('R-3.82 a code is read regardless of case, blanks and dashes, and is used up by one tracker', async () => {
  await using portal = await startPortal()
  const spelled = CODES.valid.toLowerCase().replace(/(.{4})/, ' $1 - ')
  const link = (device: number) =>
    portal.call(ALICE, 'GET', `/devices/${device}/activate_subscription/?code=${encodeURIComponent(spelled)}`)
  expect((await link(kitchen)).status).toBe(200)
  expect(await link(puppy)).toMatchObject({ status: 400, body: { code: 'no_subscription' } })
  const [row] = await portal.world.db.read.select().from(verificationCodes).where(eq(verificationCodes.code, CODES.valid))
  expect(row).toMatchObject({ deviceId: kitchen, usedAt: portal.clock.now() })
})

test('R-1.18 when two trackers race for one code, one is linked and the other refused', async () => {
  await using portal = await startPortal()
  const answers = await Promise.all(
    [kitchen, puppy].map((device) => portal.call(ALICE, 'GET', `/devices/${device}/activate_subscription/?code=${CODES.valid}`)),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
})

test('R-3.85 signing in returns the user and a token of 40 hex digits', async () => {
  await using portal = await startPortal()
  const { body } = await portal.call(null, 'POST', '/api/v1/auth/web_get_token/', { username: ALICE, password: 'Demo-1234' })
  expect(body).toMatchObject({ user: { email: ALICE }, token: expect.stringMatching(/^[0-9a-f]{40}$/) })
})

test('R-3.75 the number of an erased order is not reused', async () => {
  await using portal = await startPortal()
  const { db } = portal.world
  await buy(portal, oldTracker)
  const last = async () => (await db.read.select().from(invoices).orderBy(asc(invoices.id))).at(-1)!
  expect((await last()).number).toBe('INV-1013')
  const { id } = await last()
  await db.write('everything', async (tx) => {
    await tx.delete(orders).where(eq(orders.invoiceId, id))
    await tx.delete(invoices).where(eq(invoices.id, id))
  })
  await buy(portal, puppy)
  expect(await last()).toMatchObject({ number: 'INV-1014', orderReference: 'ORD-1014' })
})
