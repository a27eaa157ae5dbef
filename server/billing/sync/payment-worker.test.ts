import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { paymentTasks } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import { queueTasks } from '#server/billing/records/payment-tasks.store.ts'
import { ALICE, item, startCheckout, submitPayment } from '#server/billing/subscriptions/test-purchase.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { limitRepeats, runTasks } from './payment-worker.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const { oldTracker, puppy, rex } = SEED.devices
const REX = `sub_seed_${rex}`
const tasksOf = ({ world: { db } }: Portal) => db.read.select().from(paymentTasks).orderBy(paymentTasks.id)
const running = async ({ world: { payments } }: Portal, customer: string) =>
  (await payments.stripe.subscriptions.list({ customer })).data.map(({ id }) => id)

test('R-7.22 erasing an account deletes its cards and subscriptions at Stripe, and nothing is charged any more', async () => {
  await using portal = await startPortal()
  expect(await running(portal, 'cus_seed_alice')).toContain(REX)
  expect((await portal.call(ALICE, 'DELETE', '/users/me/?profile=all')).status).toBe(200)
  expect(await running(portal, 'cus_seed_alice')).toContain(REX)
  await runTasks(portal.world)
  expect(await running(portal, 'cus_seed_alice')).toEqual([])
  expect(await portal.world.payments.stripe.customers.retrieve('cus_seed_alice')).toMatchObject({ deleted: true })
  expect(await tasksOf(portal)).toEqual([])
})

test('removing one of several trackers of a subscription ends only its part', async () => {
  await using portal = await startPortal()
  await submitPayment(portal, await startCheckout(portal, { items: [item(oldTracker, 'eur-1m'), item(puppy, 'eur-1m')] }))
  const stripe = portal.world.payments.stripe
  const [bought] = (await stripe.subscriptions.list({ customer: 'cus_seed_alice' })).data
  const free = async (id: number) => {
    await portal.world.db.write('everything', (tx) => tx.update(devices).set({ subState: 'ended' }).where(eq(devices.id, id)))
    expect((await portal.call(ALICE, 'DELETE', `/devices/${id}/`)).status).toBe(200)
    await runTasks(portal.world)
    return stripe.subscriptions.retrieve(bought!.id)
  }
  expect((await free(oldTracker)).items.data).toHaveLength(1)
  expect(await free(puppy)).toMatchObject({ status: 'canceled' })
})

test('a failing call to Stripe is retried, also after a restart, with nothing lost or repeated', async () => {
  await using portal = await startPortal()
  const { world, clock } = portal
  await portal.call(ALICE, 'DELETE', '/users/me/?profile=all')
  const down = { ...world, payments: { ...world.payments, stripe: { invoices: {} } as never } }
  for (const wait of [60, 120]) {
    await runTasks(down)
    const nextAttemptAt = new Date(clock.now().getTime() + wait * 1000)
    const waiting = await tasksOf(portal)
    expect(waiting.map(({ kind }) => kind)).toEqual(['trim', 'trim', 'trim', 'forget'])
    expect(waiting).toEqual(waiting.map(() => expect.objectContaining({ nextAttemptAt })))
    clock.set({ at: nextAttemptAt })
  }
  await Promise.all([runTasks(world), runTasks(world)])
  expect([await tasksOf(portal), await running(portal, 'cus_seed_alice')]).toEqual([[], []])
})

test('a task queued again while its calls run is executed once more, even in a world with a frozen clock', async () => {
  await using portal = await startPortal()
  const { world } = portal
  const trim = [{ kind: 'trim', ref: REX }] as const
  const queue = () => world.db.write([], (tx) => queueTasks(tx, trim, world.clock.now()))
  const { subscriptions, invoices } = world.payments.stripe
  let runs = 0
  const retrieve = async (id: string) => {
    if (++runs === 1) await queue()
    return subscriptions.retrieve(id)
  }
  const watched = { ...world, payments: { ...world.payments, stripe: { subscriptions: { retrieve }, invoices } as never } }
  await queue()
  await runTasks(watched)
  expect(await tasksOf(portal)).toMatchObject(trim)
  await runTasks(watched)
  expect([runs, await tasksOf(portal)]).toEqual([2, []])
})

test('an error of work that is retried every few seconds is logged once a minute', () => {
  const logged: string[] = []
  let now = 0
  const add = (_: object, message: string) => void logged.push(message)
  const log = limitRepeats({ info: add, warn: add, error: add }, () => now)
  for (; now < 120_000; now += 5000) {
    log.error({ err: new Error('no such table') }, 'could not process payments')
    log.error({ err: new Error(now < 60_000 ? 'busy' : 'locked') }, 'could not process payments')
  }
  expect(logged).toHaveLength(2 + 2)
})

test('R-7.22 a checkout that is open when its account is erased cannot be paid', async () => {
  await using portal = await startPortal()
  const id = await startCheckout(portal, { items: [item(oldTracker, 'eur-1m')] })
  await portal.call(ALICE, 'DELETE', '/users/me/?profile=all')
  await runTasks(portal.world)
  expect(portal.world.stripe.findSession(id)).toMatchObject({ status: 'expired' })
})

test('a failed charge for one of several trackers is voided once another purchase renewed that tracker', async () => {
  await using portal = await startPortal()
  const { stripe, payments } = portal.world
  const { subscriptions, invoices, paymentMethods } = payments.stripe
  await submitPayment(portal, await startCheckout(portal, { items: [item(oldTracker, 'eur-1m'), item(puppy, 'eur-12m')] }))
  const [bought] = (await subscriptions.list({ customer: 'cus_seed_alice' })).data
  const { id: card } = await paymentMethods.attach('pm_card_chargeCustomerFail', { customer: 'cus_seed_alice' })
  await subscriptions.update(bought!.id, { default_payment_method: card })
  portal.clock.set({ at: new Date('2026-04-02T11:00:00Z') })
  await stripe.runUntil(portal.clock.now())
  const owed = async () => (await invoices.list({ subscription: bought!.id, status: 'open' })).data.map(({ amount_due }) => amount_due)
  await runTasks(portal.world)
  expect(await owed()).toEqual([199])
  await submitPayment(portal, await startCheckout(portal, { items: [item(oldTracker)] }))
  await runTasks(portal.world)
  expect(await owed()).toEqual([])
  expect((await subscriptions.retrieve(bought!.id)).items.data).toHaveLength(1)
})
