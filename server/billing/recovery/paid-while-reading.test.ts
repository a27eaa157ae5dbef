import { expect, test, vi } from 'vitest'
import { GOOD, item } from '#server/billing/subscriptions/test-purchase.ts'
import { syncCustomer } from '#server/billing/sync/sync-customer.ts'
import { getPersona } from '#server/mock/seed/records/personas.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { payCheckout } from '#server/test/test-payments-world.ts'
import { createLog, readPurchases, setRead, start } from './test-restore.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>
type Stripe = Portal['world']['payments']['stripe']
type Listed = { autoPagingToArray(options: { limit: number }): Promise<unknown[]> }
type List = (query: object) => Listed

const ALICE = 'alice@example.com'
const { accountId } = getPersona('alice')
const { oldTracker, puppy } = SEED.devices

const LISTS = {
  charges: (stripe: Stripe) => stripe.charges,
  invoices: (stripe: Stripe) => stripe.invoices,
  subscriptions: (stripe: Stripe) => stripe.subscriptions,
  'checkout sessions': (stripe: Stripe) => stripe.checkout.sessions,
}

/** Alice has bought a subscription, and is at the checkout of another; `pay` pays it. */
async function openSecondPurchase(portal: Portal, plan: string) {
  const { logged, log } = createLog()
  const world = { ...portal.world, log }
  const open = async (body: object) => (await portal.call(ALICE, 'POST', '/users/payment_session/', body)).body.id as string
  await setRead(world.db, portal.clock.now())
  payCheckout(world, await open({ items: [item(oldTracker, 'eur-1m')] }), GOOD)
  await start(world)
  const id = await open({ items: [item(puppy, plan)] })
  const row = await world.db.read.query.accounts.findFirst({ where: ({ id: column }, { eq }) => eq(column, accountId) })
  return { world, logged, customer: row!.stripeCustomer!, pay: () => expect(payCheckout(world, id, GOOD).outcome).toBe('paid') }
}

/** What the account has, without the names that Stripe gives. */
const readAll = async (portal: Portal) => {
  const { invoices, subscriptions, ...rest } = await readPurchases(portal.world.db, accountId)
  const withoutId = (row: object) => ({ ...row, provider_id: null })
  return { ...rest, invoices: invoices.map(withoutId), subscriptions: subscriptions.map(withoutId) }
}

async function buyUndisturbed(plan: string) {
  await using portal = await startPortal()
  const { pay, world } = await openSecondPurchase(portal, plan)
  pay()
  await start(world)
  return await readAll(portal)
}

/** Lets something happen right after the first answer of a list. */
function afterFirst(resource: { list: unknown }, happens: () => void) {
  const list = (resource.list as List).bind(resource)
  let isFirst = true
  resource.list = (query: object): Listed => ({
    async autoPagingToArray(options) {
      const found = await list(query).autoPagingToArray(options)
      if (isFirst) happens()
      isFirst = false
      return found
    },
  })
}

const PLANS = { 'a subscription': 'eur-1m', 'two years': 'eur-24m' }

test.each(Object.entries(PLANS).flatMap(([bought, plan]) => Object.entries(LISTS).map(([name, find]) => ({ bought, plan, name, find }))))(
  '$bought paid right after Stripe has told the $name of its customer is granted once, and nothing else changes',
  async ({ plan, find }) => {
    const wanted = await buyUndisturbed(plan)
    await using portal = await startPortal()
    const { world, logged, customer, pay } = await openSecondPurchase(portal, plan)
    const paid = vi.fn(pay)
    afterFirst(find(world.payments.stripe), paid)
    await syncCustomer(world, customer)
    expect(paid).toHaveBeenCalled()
    const early = await readPurchases(world.db, accountId)
    expect(early.subscriptions.map(({ status }) => status)).not.toContain('canceled')
    await start(world)
    expect(await readAll(portal)).toEqual(wanted)
    expect(logged).toEqual([])
  },
)

test('a subscription that Stripe lists before its checkout is granted once', async () => {
  await using portal = await startPortal()
  const { world, logged, customer, pay } = await openSecondPurchase(portal, 'eur-1m')
  pay()
  const { sessions } = world.payments.stripe.checkout
  const { list } = sessions
  sessions.list = (() => ({ autoPagingToArray: async () => [] })) as unknown as typeof list
  await start(world)
  const early = await readAll(portal)
  expect(early.subscriptions).toContainEqual(expect.objectContaining({ device_id: puppy, status: 'active' }))
  sessions.list = list
  await syncCustomer(world, customer)
  await syncCustomer(world, customer)
  expect(await readAll(portal)).toEqual(early)
  expect(logged).toEqual([])
})
