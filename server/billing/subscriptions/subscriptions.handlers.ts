import type { subscriptions as contract } from '#contracts/billing/subscriptions.ts'
import { isSafePath } from '#contracts/rules/navigation.ts'
import { normalizeVerificationCode } from '#contracts/rules/reading/text.ts'
import { computeEndDate, currentSubState, isUnlimited } from '#contracts/rules/subscription.ts'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import { touch, writeDevices } from '#db/device-changes.ts'
import type { CheckoutItem } from '#db/schema/commerce.ts'
import type { DeviceRow } from '#db/scope.ts'
import { answerInTime } from '#server/billing/access/answer-in-time.ts'
import { listNextAmounts } from '#server/billing/price-changes/price-changes.store.ts'
import { runExclusive } from '#server/billing/records/run-exclusive.ts'
import { requireCurrency } from '#server/billing/records/running-currency.store.ts'
import { presentAccountSubscriptions, presentPrice, presentSubscription, toIso } from '#server/billing/records/subscriptions.present.ts'
import {
  activateDevice,
  addSubscription,
  findCode,
  findDevice,
  findDevicesById,
  findPricesById,
  findSubscription,
  getPayer,
  listOfferedPrices,
  listRecentCheckouts,
  listSubscriptions,
  markCodeUsed,
  type SubscriptionRow,
  saveCheckout,
  stopRenewals,
  withoutRenewal,
} from '#server/billing/records/subscriptions.store.ts'
import { syncCustomer, syncPendingCheckout } from '#server/billing/sync/sync-customer.ts'
import { countAttempt } from '#server/http/access/limits.ts'
import { getOwnedDevice } from '#server/http/access/owned-device.ts'
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
  findOpenCheckout,
  isSameCart,
  mergeLines,
  type Purchase,
  validatePaths,
  validateSellable,
} from './checkout.ts'
import { ensureCustomer } from './customer.ts'

/** How long the same cart leads to the same checkout, even from another tab. */
const REOPENED_FOR_MS = 15 * MINUTE_MS

const itemOf = ({ device, price }: Purchase): CheckoutItem => ({ device: device.id, price: price.id, amount: price.unitAmount })

export const subscriptions: Handlers<typeof contract> = answerInTime({
  async list(_, context) {
    const { viewer } = context
    await syncPendingCheckout(context, viewer.accountId)
    return listHeld(context)
  },

  async change({ params, body }, context) {
    const { db, viewer } = context
    const held = (await listSubscriptions(db.read, viewer)).find(({ id }) => id === params.id)
    if (!held?.providerId || held.status === 'canceled') throw new Failure('not_found')
    await setCancelAtPeriodEnd(context, held.providerId, body.cancel_at_period_end)
    const changed = (await listHeld(context)).find(({ id }) => id === params.id)
    if (!changed) throw new Failure('not_found')
    return changed
  },

  linkByCode: ({ params, query }, context) => linkByCode(context, params.deviceid, query.code),

  async prices(_, { db, clock }) {
    return (await listOfferedPrices(db.read, clock.now())).map(presentPrice)
  },

  async pay({ body }, context) {
    const { db, viewer, clock, payments, origin } = context
    validatePaths({ success_path: body.success_path, cancel_path: body.cancel_path })
    const items = mergeLines(body.items)
    const options = mergeLines(body.options)
    const lines = [...items, ...options]
    const devices = await findDevicesById(db.read, viewer, [...new Set(lines.map((line) => line.device))])
    const now = clock.now()
    const prices = await findPricesById(db.read, [...new Set(lines.map((line) => line.price))], now)
    const asked = buildPurchases({ items, options }, devices, prices)
    const held = await Promise.all([...devices.keys()].map((id) => findSubscription(db.read, id)))
    const purchases = excludeHeldOptions(asked, held)
    for (const [index, device] of [...devices.values()].entries()) validateSellable(device, held[index], now)

    await requireCurrency(db.read, viewer.accountId, purchases)

    const payer = await ensureCustomer(context)
    const { accountId } = payer
    const params = buildCheckoutParams(purchases, payer, body, origin)
    const cart = purchases.map(itemOf)
    // Runs exclusively, otherwise two tabs would each open a session.
    const session = await runExclusive(db, `cart of account ${accountId}`, async (fence) => {
      const since = new Date(now.getTime() - REOPENED_FOR_MS)
      const recent = (await listRecentCheckouts(db.read, accountId, since)).filter(({ items: known }) => isSameCart(known, cart))
      const open = await findOpenCheckout(payments, params, recent)
      if (open) return open
      const opened = await ensureOpenCheckout(payments, params, checkoutKey(params, held, now)).catch(explainCurrency)
      await writeDevices(db, [`account:${accountId}`], async (tx) => {
        await fence(tx)
        await saveCheckout(tx, { sessionId: opened.id, accountId, items: cart, openedAt: now })
      })
      return opened
    })
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
})

/** Stripe may know a running subscription in another currency that our rows do not have. */
function explainCurrency(error: unknown): never {
  if (isRefusal(error) && /combine currencies/.test((error as Error).message)) throw new Failure('mixed_currency', {}, { cause: error })
  throw error
}

async function listHeld({ db, viewer, clock }: ViewerContext) {
  const rows = await listSubscriptions(db.read, viewer)
  const ids = [...new Set(rows.flatMap(({ priceId }) => priceId ?? []))]
  const next = await listNextAmounts(db.read, rows, clock.now())
  return presentAccountSubscriptions(rows, await findPricesById(db.read, ids, clock.now()), next)
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

/** Codes have 8 characters; a person who mistypes one needs few attempts. */
const CODE_ATTEMPTS = { max: 30, windowMinutes: 60 }

/**
 * Links the subscription of a verification code. Like a purchase, it replaces the tracker's current renewal. Sending the same code for the
 * same tracker again changes nothing.
 */
async function linkByCode({ db, viewer, clock, limits }: ViewerContext, deviceId: number, text: string | undefined) {
  const owned = await getOwnedDevice({ db, viewer }, deviceId)
  if (!text?.trim()) throw new Failure('code_required')
  if (owned.isLinkedToPro) throw new Failure('device_linked_to_pro')
  const code = normalizeVerificationCode(text)
  const now = clock.now()
  const tries = `code:${viewer.accountId}`
  if (limits.credentials) await writeDevices(db, [`throttle:${tries}`], (tx) => countAttempt(tx, tries, CODE_ATTEMPTS, now))
  return writeDevices(db, [`account:${viewer.accountId}`, `code:${code}`], async (tx) => {
    const device = await findDevice(tx, owned.id)
    const known = code === null ? undefined : await findCode(tx, code)
    if (!device || !known?.months) throw new Failure('no_subscription')
    if (known.usedAt) {
      const current = known.deviceId === device.id ? await findSubscription(tx, device.id) : undefined
      if (!current) throw new Failure('no_subscription')
      return presentLinkedSubscription({ ...device, subState: currentSubState(device.subState, device.subEndDate, now) }, current)
    }
    if (known.voidedAt) throw new Failure('code_void')
    if (known.endsAt && known.endsAt <= now) throw new Failure('code_expired')
    const { months, extra } = { months: known.months, extra: known.extra ?? 0 }
    const endsAt = isUnlimited(device.subState, device.subEndDate) ? null : computeEndDate(now, device.subEndDate, months, extra)
    const options = (await findSubscription(tx, device.id))?.options ?? []
    await markCodeUsed(tx, known.code, device.id, now)
    await stopRenewals(tx, device.id, now)
    await activateDevice(tx, device.id, endsAt)
    const added = await addSubscription(tx, { ...withoutRenewal, deviceId: device.id, months, extra, endsAt, options, startedAt: now })
    touch(tx, device)
    return presentLinkedSubscription({ ...device, subState: 'active', subEndDate: endsAt }, added)
  })
}

const presentLinkedSubscription = (device: Pick<DeviceRow, 'id' | 'subState' | 'subEndDate'>, subscription: SubscriptionRow) => ({
  device: device.id,
  sub_state: device.subState,
  sub_end_date: toIso(device.subEndDate),
  subscription: presentSubscription(subscription),
})
