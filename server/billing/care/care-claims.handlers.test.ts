import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { checkouts, invoices, prices, subscriptions } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import { careClaims } from '#db/schema/returns.ts'
import { ALICE, submitPayment } from '#server/billing/subscriptions/test-purchase.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { signInStaffAs } from '#server/operator/staff/sign-in.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const { familyCar, rex } = SEED.devices
const SUPPORT = 'support@example.com'
const claimPath = (device: number = familyCar) => `/devices/${device}/care_claim/`
const broken = { reason: 'broken', description: 'It fell from the roof.', delivery: 'Alice\nEllauri 350\nMontevideo' }
const paths = { success_path: '/trackers/4/settings?care=paid', cancel_path: '/trackers/4/settings' }

const open = (portal: Portal, device: number = familyCar) => portal.call(ALICE, 'POST', claimPath(device), broken)
const read = async (portal: Portal, as = ALICE) => (await portal.call(as, 'GET', claimPath())).body
const pay = (portal: Portal) => portal.call(ALICE, 'POST', `${claimPath()}payment_session/`, paths)
const withdraw = (portal: Portal) => portal.call(ALICE, 'DELETE', claimPath())
const refusal = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]
const stopSellingTrackers = ({ world: { db } }: Portal) =>
  db.write('everything', (tx) => tx.update(prices).set({ isOffered: false }).where(eq(prices.type, 'tracker')))
const stopRenewal = ({ world: { db } }: Portal) =>
  db.write('everything', (tx) => tx.update(subscriptions).set({ isRecurring: false }).where(eq(subscriptions.deviceId, familyCar)))
const removeOptions = ({ world: { db } }: Portal) =>
  db.write('everything', (tx) => tx.update(subscriptions).set({ options: [] }).where(eq(subscriptions.deviceId, familyCar)))

test('R-9.18 a claim leads to a checkout of a replacement at half price, and its payment to an order', async () => {
  await using portal = await startPortal()
  const replacement = { full_amount: 4990, unit_amount: 2495, currency: 'eur', tax_behavior: 'inclusive' }
  expect(await read(portal)).toEqual({ has_plan: true, replacement, claim: null })
  const opened = await open(portal)
  expect(opened).toMatchObject({ status: 201, body: { device: familyCar, ...broken, status: 'open', closed_at: null, order: null } })
  const { body: session } = await pay(portal)
  expect(portal.world.stripe.findSession(session.id)).toMatchObject({ amount_total: 2495, mode: 'payment' })
  expect((await read(portal)).claim.status).toBe('open')

  await submitPayment(portal, session.id)
  const { claim } = await read(portal)
  expect(claim).toMatchObject({ status: 'ordered', closed_at: '2026-03-02T09:00:00Z', order: expect.stringMatching(/^ORD-/) })
  const { body: order } = await portal.call(ALICE, 'GET', `/users/orders/${claim.order}/`)
  expect(order).toMatchObject({
    status: 'in_progress',
    total: 2495,
    lines: [{ label: 'replacement – Family car', quantity: 1, unit_amount: 2495 }],
  })
  const mails = (await portal.call(null, 'GET', `/mock/mail?to=${ALICE}`)).body.map((mail: { template: string }) => mail.template)
  expect(mails.slice(0, 2)).toEqual(['receipt', 'care_claim'])
})

test('the order of a replacement has the address of the claim, also after the broken tracker was removed', async () => {
  await using portal = await startPortal()
  const clerk = await signInStaffAs(portal.world, { email: 'clara@shop.example', name: 'Clara', role: 'stock' })
  await open(portal)
  await submitPayment(portal, (await pay(portal)).body.id)
  const { order } = (await read(portal)).claim
  expect((await portal.call(ALICE, 'GET', `/users/orders/${order}/`)).body).toMatchObject({ delivery: broken.delivery })
  await portal.world.db.write('everything', (tx) => tx.delete(careClaims).where(eq(careClaims.deviceId, familyCar)))
  const { body } = await portal.call(null, 'GET', `/operator/api/orders/${order}/`, undefined, clerk)
  expect(body).toMatchObject({ state: 'to_pick', address: broken.delivery.split('\n') })
})

test('a replacement that is paid after its tracker was removed is sent to the address of the claim', async () => {
  await using portal = await startPortal()
  const clerk = await signInStaffAs(portal.world, { email: 'clara@shop.example', name: 'Clara', role: 'stock' })
  await open(portal)
  const { body: session } = await pay(portal)
  await stopRenewal(portal)
  expect((await portal.call(ALICE, 'DELETE', `/devices/${familyCar}/`)).status).toBe(200)
  await submitPayment(portal, session.id)
  const list = (query: string) => portal.call(null, 'GET', `/operator/api/orders/${query}`, undefined, clerk)
  const [{ reference }] = (await list('?state=to_pick&sort=-date')).body.orders
  expect((await list(`${reference}/`)).body).toMatchObject({ state: 'to_pick', address: broken.delivery.split('\n') })
  expect((await portal.call(ALICE, 'GET', `/users/orders/${reference}/`)).body).toMatchObject({ delivery: broken.delivery })
})

test('the replacement does not change the subscription and its care plan', async () => {
  await using portal = await startPortal()
  const list = async () => (await portal.call(ALICE, 'GET', '/users/subscriptions/')).body
  const before = await list()
  await open(portal)
  await submitPayment(portal, (await pay(portal)).body.id)
  expect(await list()).toEqual(before)
})

test('a tracker without a care plan gets no replacement', async () => {
  await using portal = await startPortal()
  expect(refusal(await open(portal, rex))).toEqual([409, 'no_care_plan'])
  expect((await portal.call(ALICE, 'GET', claimPath(rex))).body).toEqual({ has_plan: false, replacement: null, claim: null })
  await open(portal)
  await removeOptions(portal)
  expect(refusal(await pay(portal))).toEqual([409, 'no_care_plan'])
})

test('a care plan stays valid after the subscription has ended', async () => {
  await using portal = await startPortal()
  const ended = { subState: 'ended' as const, subEndDate: new Date('2026-01-01T00:00:00Z') }
  await portal.world.db.write('everything', (tx) => tx.update(devices).set(ended).where(eq(devices.id, familyCar)))
  expect((await open(portal)).status).toBe(201)
})

test('an unlisted reason, an empty description and a missing address are refused by field', async () => {
  await using portal = await startPortal()
  const { status, body } = await portal.call(ALICE, 'POST', claimPath(), { reason: 'bored', description: ' ', delivery: '' })
  expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'validation_error', ['reason', 'description', 'delivery']])
})

test('a tracker has one open claim', async () => {
  await using portal = await startPortal()
  await open(portal)
  expect(refusal(await open(portal))).toEqual([409, 'claim_open'])
})

test('R-9.18 a care plan pays for one replacement only', async () => {
  await using portal = await startPortal()
  await open(portal)
  await submitPayment(portal, (await pay(portal)).body.id)
  expect(refusal(await open(portal))).toEqual([409, 'care_plan_used'])
  expect(refusal(await pay(portal))).toEqual([404, 'no_claim'])
  expect(refusal(await withdraw(portal))).toEqual([404, 'no_claim'])
})

test('without a tracker in the price list there are no claims', async () => {
  await using portal = await startPortal()
  await open(portal)
  await stopSellingTrackers(portal)
  expect((await read(portal)).replacement).toBeNull()
  expect(refusal(await pay(portal))).toEqual([400, 'unknown_price'])
  await withdraw(portal)
  expect(refusal(await open(portal))).toEqual([400, 'unknown_price'])
})

test('paying again leads to the same checkout while it is open', async () => {
  await using portal = await startPortal()
  await open(portal)
  const [first, second] = await Promise.all([pay(portal), pay(portal)])
  expect(second.body).toEqual(first.body)
  await portal.world.payments.stripe.checkout.sessions.expire(first.body.id)
  expect((await pay(portal)).body.id).not.toBe(first.body.id)
})

test('a withdrawn claim can no longer be paid, and another one can be opened', async () => {
  await using portal = await startPortal()
  await open(portal)
  const { body } = await pay(portal)
  expect((await withdraw(portal)).body).toMatchObject({ status: 'withdrawn', closed_at: '2026-03-02T09:00:00Z' })
  expect(portal.world.stripe.findSession(body.id)?.status).toBe('expired')
  expect((await open(portal)).status).toBe(201)
})

test('a payment with a late webhook is found before anything is paid twice or withdrawn', async () => {
  await using portal = await startPortal()
  const { db } = portal.world
  await open(portal)
  const { body } = await pay(portal)
  await submitPayment(portal, body.id)
  const forget = () =>
    db.write('everything', async (tx) => {
      await tx.update(careClaims).set({ status: 'open', closedAt: null })
      await tx.delete(invoices)
      await tx.update(checkouts).set({ grantedAt: null }).where(eq(checkouts.sessionId, body.id))
    })
  for (const call of [pay, withdraw]) {
    await forget()
    expect(refusal(await call(portal))).toEqual([404, 'no_claim'])
    const [claim] = await db.read.select().from(careClaims)
    expect(claim?.status).toBe('ordered')
  }
})

test('support reads claims and cannot open any; other accounts see nothing', async () => {
  await using portal = await startPortal()
  await open(portal)
  expect((await read(portal, SUPPORT)).claim).toMatchObject(broken)
  expect((await portal.call(SUPPORT, 'POST', claimPath(), broken)).status).toBe(403)
  expect((await portal.call('george@example.com', 'GET', claimPath())).status).toBe(404)
})

test('support lists the claims of all accounts with tracker, owner and address, those to be shipped first; owners see their own', async () => {
  await using portal = await startPortal()
  const list = async (as: string, query = '') => (await portal.call(as, 'GET', `/users/care_claims/${query}`)).body
  await open(portal)
  await withdraw(portal)
  await open(portal)
  const states = async (query?: string) => (await list(SUPPORT, query)).map(({ status }: { status: string }) => status)
  expect(await states()).toEqual(['open', 'withdrawn'])
  await submitPayment(portal, (await pay(portal)).body.id)
  expect(await states()).toEqual(['ordered', 'withdrawn'])
  expect(await list(SUPPORT, '?status=ordered')).toMatchObject([
    { device: familyCar, tracker: 'Family car', owner: ALICE, ...broken, order: expect.stringMatching(/^ORD-/) },
  ])
  expect(await list(ALICE)).toEqual(await list(SUPPORT))
  expect(await list('george@example.com')).toEqual([])
  expect((await portal.call('member@pro.example.com', 'GET', '/users/care_claims/')).status).toBe(403)
})
