import type { subscriptions as contract } from '#contracts/billing/subscriptions.ts'
import { isSafePath } from '#contracts/rules/navigation.ts'
import { writeDevices } from '#db/device-changes.ts'
import { presentAccountSubscription, presentPrice } from '#server/billing/records/subscriptions.present.ts'
import {
  findDevicesById,
  findPricesById,
  findSubscription,
  getPayer,
  listOfferedPrices,
  listSubscriptions,
  saveCheckout,
} from '#server/billing/records/subscriptions.store.ts'
import { syncCustomer, syncPendingCheckout } from '#server/billing/sync/sync-customer.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { isRefusal } from '#server/ports/payments.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import {
  buildCheckoutParams,
  buildPurchases,
  checkoutKey,
  ensureOpenCheckout,
  excludeHeldOptions,
  type Line,
  mergeLines,
  type Purchase,
  validatePaths,
  validateSellable,
} from './checkout.ts'
import { ensureCustomer } from './customer.ts'
import { linkByCode } from './link-by-code.ts'

const lineOf = ({ device, price }: Purchase): Line => ({ device: device.id, price: price.id })

export const subscriptions: Handlers<typeof contract> = {
  async list(_, context) {
    const { db, viewer } = context
    await syncPendingCheckout(context, viewer.accountId)
    return (await listSubscriptions(db.read, viewer)).map(presentAccountSubscription)
  },

  async change({ params, body }, context) {
    const { db, viewer } = context
    const held = (await listSubscriptions(db.read, viewer)).find(({ id }) => id === params.id)
    if (!held?.providerId || held.status === 'canceled') throw new Failure('not_found')
    await setCancelAtPeriodEnd(context, held.providerId, body.cancel_at_period_end)
    const changed = (await listSubscriptions(db.read, viewer)).map(presentAccountSubscription).find(({ id }) => id === params.id)
    if (!changed) throw new Failure('not_found')
    return changed
  },

  linkByCode: ({ params, query }, context) => linkByCode(context, params.deviceid, query.code),

  async prices(_, { db }) {
    return (await listOfferedPrices(db.read)).map(presentPrice)
  },

  async pay({ body }, context) {
    const { db, viewer, clock, payments, origin } = context
    validatePaths({ success_path: body.success_path, cancel_path: body.cancel_path })
    const items = mergeLines(body.items)
    const options = mergeLines(body.options)
    const lines = [...items, ...options]
    const devices = await findDevicesById(db.read, viewer, [...new Set(lines.map((line) => line.device))])
    const prices = await findPricesById(db.read, [...new Set(lines.map((line) => line.price))])
    const asked = buildPurchases({ items, options }, devices, prices)
    const now = clock.now()
    const held = await Promise.all([...devices.keys()].map((id) => findSubscription(db.read, id)))
    const purchases = excludeHeldOptions(asked, held)
    for (const [index, device] of [...devices.values()].entries()) validateSellable(device, held[index], now)

    const payer = await ensureCustomer(context)
    const params = buildCheckoutParams(purchases, payer, body, origin)
    const session = await ensureOpenCheckout(payments, params, checkoutKey(params, held, now))
    await writeDevices(db, [`account:${payer.accountId}`], (tx) =>
      saveCheckout(tx, { sessionId: session.id, accountId: payer.accountId, items: purchases.map(lineOf), openedAt: now }),
    )
    return { public_key: payments.publicKey, id: session.id, ...(session.url && { url: session.url }) }
  },

  async billingPortal({ body }, context) {
    const { payments, origin } = context
    if (!isSafePath(body.return_path)) throw new Failure('invalid_return_path')
    const { customer, language } = await ensureCustomer(context)
    const { url } = await payments.stripe.billingPortal.sessions.create({
      customer,
      return_url: origin + body.return_path,
      locale: language,
    })
    return { url }
  },
}

/** Sets whether a subscription ends with the paid period, then stores the state that Stripe returns. */
async function setCancelAtPeriodEnd(context: ViewerContext, providerId: string, cancel_at_period_end: boolean) {
  const { db, viewer, payments } = context
  const { customer } = await getPayer(db.read, viewer)
  if (!customer) throw new Failure('not_found')
  try {
    await payments.stripe.subscriptions.update(providerId, { cancel_at_period_end })
  } catch (error) {
    if (!isRefusal(error)) throw error
    await syncCustomer(context, customer)
    throw new Failure('not_found', {}, { cause: error })
  }
  await syncCustomer(context, customer)
}
