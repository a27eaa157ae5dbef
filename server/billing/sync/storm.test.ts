import { expect, test } from 'vitest'
import type { Db } from '#db/db.ts'
import { subscriptions as subscriptionRows } from '#db/schema/commerce.ts'
import { readEngine } from '#db/schema/engine.ts'
import { subscriptions } from '#server/billing/subscriptions/subscriptions.handlers.ts'
import type { MockWorld } from '#server/mock/worlds/world.ts'
import { createPayments } from '#server/ports/payments.ts'
import { queryRows, saveState } from '#server/test/test-database.ts'
import {
  BUYER,
  buyerContext,
  chooseCard,
  createPaymentTime,
  openCheckout,
  openPaymentWorld,
  payCheckout,
} from '#server/test/test-payments-world.ts'
import { reconcile } from './reconcile.ts'
import { processInbox, receiveEvent } from './webhook.ts'

/** For a longer run, as each night: `STORM_ORDERS=2000 npx vitest run server/billing/sync/storm`. */
const ORDERS = Number(process.env.STORM_ORDERS ?? (readEngine() === 'postgres' ? 5 : 12))
const KEYS = { secretKey: 'sk_test_whereabouts', publicKey: '' }
const VISA = '4242 4242 4242 4242'
const date = (text: string) => new Date(`${text}T09:00:00Z`)
type Time = ReturnType<typeof createPaymentTime>

/** Scenarios of a paying customer; each continues after the checkout was opened. */
const STORIES: Record<string, (world: MockWorld, checkout: string, time: Time) => Promise<unknown>> = {
  'a purchase': async (world, checkout) => payCheckout(world, checkout, VISA),
  'a purchase that was declined first': async (world, checkout) => {
    payCheckout(world, checkout, '4000 0000 0000 0002')
    payCheckout(world, checkout, '4000 0025 0000 3155')
  },
  'half a year of renewals': async (world, checkout, time) => {
    payCheckout(world, checkout, VISA)
    await time(date('2026-09-03'))
  },
  'a renewal that fails for good': async (world, checkout, time) => {
    payCheckout(world, checkout, '4000 0027 6000 3184')
    await time(date('2026-05-01'))
  },
  'a failed renewal that another card pays': async (world, checkout, time) => {
    payCheckout(world, checkout, '4000 0027 6000 3184')
    await time(date('2026-04-06'))
    await chooseCard(world, 'pm_card_visa')
    await time(date('2026-06-03'))
  },
  'a purchase that is refunded in parts and then in whole': async (world, checkout, time) => {
    payCheckout(world, checkout, VISA)
    await time(date('2026-03-04'))
    const charge = await findCharge(world)
    await world.payments.stripe.refunds.create({ charge, amount: 50 })
    await world.payments.stripe.refunds.create({ charge })
  },
  'a renewal that is refunded': async (world, checkout, time) => {
    payCheckout(world, checkout, VISA)
    await time(date('2026-04-03'))
    await world.payments.stripe.refunds.create({ charge: await findCharge(world) })
  },
  'a purchase that the bank pays back after a dispute': async (world, checkout, time) => {
    payCheckout(world, checkout, VISA)
    await time(date('2026-03-04'))
    const invoice = await findInvoice(world)
    for (const outcome of ['open', 'lost'] as const) world.stripe.disputeInvoice(invoice, outcome)
  },
  'a subscription that is cancelled, resumed and cancelled': async (world, checkout, time) => {
    payCheckout(world, checkout, VISA)
    await time(date('2026-03-03'))
    const [held] = (await subscriptions.list({} as never, buyerContext(world))) as { id: number }[]
    for (const cancel_at_period_end of [true, false, true])
      await subscriptions.change({ params: { id: held!.id }, body: { cancel_at_period_end } } as never, buyerContext(world))
    await time(date('2026-06-03'))
  },
}

const findCustomer = async ({ db }: MockWorld) => {
  const [row] = await db.read.query.accounts.findMany({ where: (account, { eq: is }) => is(account.id, BUYER.accountId) })
  return row!.stripeCustomer!
}
/** The newest charge of the buyer. */
const findCharge = async (world: MockWorld) =>
  (await world.payments.stripe.charges.list({ customer: await findCustomer(world), limit: 1 })).data[0]!.id
const findInvoice = async (world: MockWorld) =>
  (await world.payments.stripe.invoices.list({ customer: await findCustomer(world), limit: 1 })).data[0]!.id

/** Plays a scenario; returns its events and the database from before they were received. */
async function record(play: (typeof STORIES)[string]) {
  const world = await openPaymentWorld()
  // No other account pays meanwhile, and a small database is faster to copy.
  await world.db.write('everything', (tx) => tx.update(subscriptionRows).set({ providerId: null, status: null }))
  if (!world.db.isShared) world.db.raw.exec('delete from positions; vacuum')
  const checkout = await openCheckout(world)
  const reopen = await saveState(world.db)
  await play(world, checkout, createPaymentTime(world))
  const payments = createPayments({ ...KEYS, webhookSecret: world.payments.webhookSecret, fetch: remembered(world.stripe.fetch) })
  return { world: { ...world, payments }, reopen, events: [...world.stripe.events] }
}

/** Caches responses of Stripe, whose state no longer changes. */
function remembered(ask: typeof fetch): typeof fetch {
  const said = new Map<string, Promise<string>>()
  return async (input, init) => {
    if (init?.method !== 'GET') return ask(input, init)
    const answer = said.get(String(input)) ?? ask(input, init).then((one) => one.text())
    said.set(String(input), answer)
    return new Response(await answer, { headers: { 'content-type': 'application/json' } })
  }
}

/** Seeded random numbers between 0 and 1. */
function randomOf(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

/** Shuffles events, duplicates some, drops some and splits them into a random number of batches. */
function storm<T>(events: readonly T[], random: () => number): T[][] {
  const heard = events.flatMap((event) => (random() < 0.25 ? [] : random() < 0.3 ? [event, event] : [event]))
  const shuffled = heard.map((event) => ({ event, at: random() })).toSorted((a, b) => a.at - b.at)
  const lots = 1 + Math.floor(random() * 3)
  return Array.from({ length: lots }, (_, lot) => shuffled.filter(({ at }) => Math.floor(at * lots) === lot).map(({ event }) => event))
}

/** The rows that must not depend on the order of events. Numbers of orders and invoices depend on other accounts and are left out. */
function rowsOf(db: Db) {
  const all = (sql: string) => queryRows(db, sql)
  return Promise.all([
    all(`select sub_state, sub_end_date from devices where id = ${BUYER.device}`),
    all(`select * from subscriptions where device_id = ${BUYER.device} order by id`),
    all(
      `select date, amount, balance, status, lines, provider_id from invoices where account_id = ${BUYER.accountId} order by date, amount, provider_id`,
    ),
    all(`select date, total, status, lines from orders where account_id = ${BUYER.accountId} order by date, total`),
    all(
      `select date, amount, tax, reason, provider_id, voided_at from credit_notes where account_id = ${BUYER.accountId} order by date, provider_id`,
    ),
    all(`select amount, paid_at, card_last4 from invoice_payments where account_id = ${BUYER.accountId} order by id`),
    ...['payment_methods', 'checkouts'].map((table) => all(`select * from ${table} where account_id = ${BUYER.accountId} order by 1`)),
    all(`select template, data from emails where "to" = '${BUYER.email}' and template like 'payment%' order by 1, cast(data as text)`),
    all(`select template, count(*) from emails where "to" = '${BUYER.email}' group by template order by 1`),
    all('select key from payment_effects order by key'),
  ])
}

async function hear({ world, reopen }: Awaited<ReturnType<typeof record>>, lots: MockWorld['stripe']['events'][]) {
  const db = await reopen()
  const ports = { ...world, db }
  for (const lot of lots) {
    for (const event of lot) {
      const { payload, signature } = world.stripe.sign(event)
      await receiveEvent(ports, payload, signature)
    }
    await processInbox(ports)
  }
  await reconcile(ports)
  const rows = await rowsOf(db)
  await db.close()
  return rows
}

test.each(Object.entries(STORIES))(
  `after ${ORDERS} reorderings, doublings and drops of the events of %s the rows are the same and each effect happened once`,
  { timeout: 600_000 },
  async (_, play) => {
    const story = await record(play)
    const expected = await hear(
      story,
      story.events.map((event) => [event]),
    )
    expect(expected[1]).toHaveLength(2)
    for (let seed = 1; seed <= ORDERS; seed++)
      expect(await hear(story, storm(story.events, randomOf(seed))), `seed ${seed}`).toEqual(expected)
  },
)
