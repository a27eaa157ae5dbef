import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { SqliteDb } from '#db/sqlite/open.ts'
import { paymentMethods } from '#server/billing/payment-methods/payment-methods.handlers.ts'
import { subscriptions } from '#server/billing/subscriptions/subscriptions.handlers.ts'
import { syncCustomer } from '#server/billing/sync/sync-customer.ts'
import { subscriptionEnd } from '#server/jobs/device-jobs.ts'
import { runDue } from '#server/jobs/run-jobs.ts'
import { openTestCity } from '#server/mock/city/testing.ts'
import { getPersona } from '#server/mock/seed/records/personas.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import type { StripeFake } from '#server/mock/stripe/index.ts'
import { createPaymentPlayer } from '#server/mock/worlds/play.ts'
import { createWorld, type MockWorld } from '#server/mock/worlds/world.ts'
import type { ViewerContext, World } from '#server/ports/world.ts'
import { openTestDb } from './test-database.ts'
import { ANCHOR } from './test-files.ts'

type Expiry = { month: number; year: number }

const LONGEST_STEP_MS = 30 * 86_400_000
const silent = { info() {}, warn() {}, error() {} }
/** A user with one tracker who has never paid by card. */
export const BUYER = {
  email: 'george@example.com',
  device: SEED.devices.george,
  accountId: getPersona('george').accountId,
  price: 'gbp-1m',
}

export async function openPaymentWorld(stored?: SqliteDb): Promise<MockWorld> {
  const [db, city] = await Promise.all([stored ?? openTestDb('family'), openTestCity()])
  return createWorld({ id: 'main', db, city, seed: 1, anchor: ANCHOR, origin: 'http://portal.test', log: silent })
}

export function buyerContext(world: World): ViewerContext {
  const viewer = { userId: getPersona('george').id, accountId: BUYER.accountId, role: 'user' as const }
  return {
    ...world,
    cookies: { set() {}, setForHost() {}, expire() {}, clearCache() {} },
    caller: { agent: null, network: null, browser: null },
    viewer,
    session: 'of-george',
  }
}

export async function openCheckout(world: MockWorld, price = BUYER.price) {
  const body = { items: [{ device: BUYER.device, price }], options: [], success_path: '/', cancel_path: '/' }
  const { id } = (await subscriptions.pay({ body, params: {}, query: {} } as never, buyerContext(world))) as { id: string }
  return id
}

/** Pays a checkout by card and answers the bank's request for confirmation. */
export function payCheckout(
  { stripe }: { stripe: Pick<StripeFake, 'pay' | 'confirmPayment'> },
  id: string,
  number: string,
  expiry?: Expiry,
) {
  const first = stripe.pay(id, number, expiry)
  return first.outcome === 'asked' ? stripe.confirmPayment(id, true) : first
}

/** Adds a tax rate to each checkout of the portal, which requests no tax itself. */
export async function addTaxToCheckouts({ payments }: Pick<World, 'payments'>, percentage: number) {
  const { id } = await payments.stripe.taxRates.create({ display_name: 'VAT', percentage, inclusive: false })
  const connect = payments.connectUntil
  payments.connectUntil = (deadline) => {
    const connected = connect(deadline)
    const { sessions } = connected.checkout
    const create = sessions.create.bind(sessions)
    sessions.create = (params, ...rest) =>
      create({ ...params!, line_items: params!.line_items!.map((line) => ({ ...line, tax_rates: [id] })) }, ...rest)
    return connected
  }
}

/** Makes one of Stripe's test cards, such as `pm_card_visa`, the default card. */
export async function chooseCard(world: MockWorld, name: string) {
  const [row] = await world.db.read.query.accounts.findMany({ where: (account, { eq: is }) => is(account.id, BUYER.accountId) })
  const customer = row!.stripeCustomer!
  const { id } = await world.payments.stripe.paymentMethods.attach(name, { customer })
  await world.payments.stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } })
  await syncCustomer(world, customer)
  await paymentMethods.change({ params: { id }, body: { is_default: true } } as never, buyerContext(world))
}

/** Advances the time of payments only: Stripe, our inbox and outbox, and the end of subscriptions. */
export function createPaymentTime(world: MockWorld) {
  const player = createPaymentPlayer(world, world.stripe)
  let at = world.clock.now()
  return async (to: Date) => {
    do {
      const due = (await player.nextDue(at))?.getTime() ?? Number.POSITIVE_INFINITY
      at = new Date(Math.min(due, at.getTime() + LONGEST_STEP_MS, to.getTime()))
      world.clock.set({ at })
      await player.playTo(at)
      await runDue(world, at, { jobs: [subscriptionEnd] })
    } while (at < to)
  }
}

/** Serves the Stripe fake on a port, for other processes. */
export async function serveProvider({ fetch }: Pick<StripeFake, 'fetch'>) {
  const server = createServer(async (request, reply) => {
    const body = await buffer(request)
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] satisfies [string, string])
    const { method = 'GET', url } = request
    const answer = await fetch(`http://provider${url}`, { method, headers, ...(method === 'POST' && { body: new Uint8Array(body) }) })
    reply.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}
