import { expect, test } from 'vitest'
import { type Db, openDb } from '#db/sqlite/open.ts'
import { subscriptions } from '#server/billing/subscriptions/subscriptions.handlers.ts'
import type { MockWorld } from '#server/mock/worlds/world.ts'
import { createPayments } from '#server/ports/payments.ts'
import { asBuyer, BUYER, chooseCard, openCheckout, openWorld, payCheckout, paymentTime } from '#server/test/test-payments-world.ts'
import { receive } from './receive.ts'
import { reconcile } from './reconcile.ts'
import { workInbox } from './work-inbox.ts'

const ORDERS = 200
const KEYS = { secretKey: 'sk_test_whereabouts', publicKey: '' }
const VISA = '4242 4242 4242 4242'
const date = (text: string) => new Date(`${text}T09:00:00Z`)
type Time = ReturnType<typeof paymentTime>

/** What may happen to somebody who pays by card; each plays on after the checkout was opened. */
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
  'one that is cancelled, resumed and cancelled': async (world, checkout, time) => {
    payCheckout(world, checkout, VISA)
    await time(date('2026-03-03'))
    const [held] = (await subscriptions.list({} as never, asBuyer(world))) as { id: number }[]
    for (const cancel_at_period_end of [true, false, true])
      await subscriptions.change({ params: { id: held!.id }, body: { cancel_at_period_end } } as never, asBuyer(world))
    await time(date('2026-06-03'))
  },
}

/** A story with its events, and the database as it was before anything was heard of it. */
async function record(play: (typeof STORIES)[string]) {
  const world = await openWorld()
  // Nobody else pays anything meanwhile, and what is copied so often is small.
  world.db.raw.exec('update subscriptions set provider_id = null, status = null; delete from positions; vacuum')
  const checkout = await openCheckout(world)
  const before = world.db.raw.serialize()
  await play(world, checkout, paymentTime(world))
  const payments = createPayments({ ...KEYS, webhookSecret: world.payments.webhookSecret, fetch: remembered(world.stripe.fetch) })
  return { world: { ...world, payments }, before, events: [...world.stripe.events] }
}

/** Nothing happens at the provider any more: what it said once it says again. */
function remembered(ask: typeof fetch): typeof fetch {
  const said = new Map<string, Promise<string>>()
  return async (input, init) => {
    if (init?.method !== 'GET') return ask(input, init)
    const answer = said.get(String(input)) ?? ask(input, init).then((one) => one.text())
    said.set(String(input), answer)
    return new Response(await answer, { headers: { 'content-type': 'application/json' } })
  }
}

/** Numbers between 0 and 1, the same for the same seed. */
function randomOf(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

/** Events in a random order, some doubled, some dropped; in how many lots they come is random too. */
function storm<T>(events: readonly T[], random: () => number): T[][] {
  const heard = events.flatMap((event) => (random() < 0.25 ? [] : random() < 0.3 ? [event, event] : [event]))
  const shuffled = heard.map((event) => ({ event, at: random() })).toSorted((a, b) => a.at - b.at)
  const lots = 1 + Math.floor(random() * 3)
  return Array.from({ length: lots }, (_, lot) => shuffled.filter(({ at }) => Math.floor(at * lots) === lot).map(({ event }) => event))
}

/** What is to be the same, however it was heard of; orders and invoices are numbered as they come, those of others among them. */
function rowsOf(db: Db) {
  const all = (sql: string) => db.raw.prepare(sql).all()
  return [
    all(`select sub_state, sub_end_date from devices where id = ${BUYER.device}`),
    all(`select * from subscriptions where device_id = ${BUYER.device}`),
    all(`select date, amount, balance, status, lines, provider_id from invoices where account_id = ${BUYER.accountId}`),
    all(`select date, total, status, lines from orders where account_id = ${BUYER.accountId}`),
    ...['payment_methods', 'checkouts'].map((table) => all(`select * from ${table} where account_id = ${BUYER.accountId}`)),
    all(`select template, data from emails where "to" = '${BUYER.email}' and template like 'payment%' order by 1, 2`),
    all('select key from payment_effects order by key'),
  ]
}

async function hear({ world, before }: { world: MockWorld; before: Buffer }, lots: (typeof world.stripe.events)[]) {
  const db = openDb(before)
  const ports = { ...world, db }
  for (const lot of lots) {
    for (const event of lot) {
      const { payload, signature } = world.stripe.sign(event)
      await receive(ports, payload, signature)
    }
    await workInbox(ports)
  }
  await reconcile(ports, date('2026-03-02'))
  const rows = rowsOf(db)
  db.close()
  return rows
}

test.each(Object.entries(STORIES))(
  `${ORDERS} orders, doublings and drops of %s end alike, each effect once`,
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
