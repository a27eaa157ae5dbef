import type { CareClaim, CareCover, careClaims as contract, ListedCareClaim } from '#contracts/billing/care-claims.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { DbReader } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import { answerInTime } from '#server/billing/access/answer-in-time.ts'
import {
  type ClaimRow,
  discountPrice,
  findBindingClaim,
  findCarePlan,
  findNewestClaim,
  findTrackerPrice,
  insertClaim,
  type ListedClaim,
  listClaims,
  updateClaim,
} from '#server/billing/records/care-claims.store.ts'
import { describeDelivery } from '#server/billing/records/purchase-metadata.ts'
import { runExclusive } from '#server/billing/records/run-exclusive.ts'
import { type PriceRow, saveCheckout } from '#server/billing/records/subscriptions.store.ts'
import { buildCheckoutParams, checkoutKey, validatePaths } from '#server/billing/subscriptions/checkout.ts'
import { ensureCustomer } from '#server/billing/subscriptions/customer.ts'
import { syncCustomer, syncPendingCheckout } from '#server/billing/sync/sync-customer.ts'
import { getOwnedDevice, getOwnedDeviceInTx } from '#server/http/access/owned-device.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import { isMissing, stripeId } from '#server/ports/payments.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { mailClaim } from './mail-claim.ts'

export const careClaims: Handlers<typeof contract> = answerInTime({
  async list({ query }, { db, viewer }) {
    return (await listClaims(db.read, viewer, query.status)).map(presentListedClaim)
  },

  async read({ params }, context) {
    const { db, clock } = context
    const device = await getOwnedDevice(context, params.id)
    const known = await findNewestClaim(db.read, device.id)
    if (known?.status === 'open' && known.checkoutId) await syncPendingCheckout(context, device.accountId)
    const plan = await findCarePlan(db.read, device.id)
    const price = plan && (await findTrackerPrice(db.read, plan.currency, clock.now()))
    return presentCover({ plan, price, claim: await findNewestClaim(db.read, device.id) })
  },

  async open({ params, body }, { db, viewer, clock }) {
    const now = clock.now()
    return writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
      const device = await getOwnedDeviceInTx(tx, viewer, params.id)
      await getReplacementPrice(tx, device.id, now)
      const earlier = await findBindingClaim(tx, device.id)
      if (earlier) throw new Failure(earlier.status === 'open' ? 'claim_open' : 'care_plan_used')
      const state = { status: 'open' as const, createdAt: now, closedAt: null, checkoutId: null, orderReference: null }
      const claim = await insertClaim(tx, { deviceId: device.id, ...body, ...state })
      await mailClaim(tx, device, now)
      return presentClaim(claim)
    })
  },

  async pay({ params, body }, context) {
    const { db, clock, payments, origin } = context
    validatePaths(body)
    const device = await getOwnedDevice(context, params.id)
    return runExclusive(db, `care of ${device.id}`, async (fence) => {
      const claim = await getOpenClaim(db.read, device.id)
      const price = await getReplacementPrice(db.read, device.id, context.clock.now())
      const earlier = claim.checkoutId === null ? null : await findSession(context, claim.checkoutId)
      if (earlier?.status === 'complete') await applyPayment(context, stripeId(earlier.customer))
      const payer = await ensureCustomer(context)
      const cart = buildCheckoutParams([{ device, price: discountPrice(price) }], payer, body, origin)
      const params = { ...cart, metadata: { ...cart.metadata, ...describeDelivery(claim.delivery) } }
      const create = () =>
        payments.stripe.checkout.sessions.create(params, { idempotencyKey: checkoutKey({ params, claim }, [], clock.now()) })
      const session = earlier?.status === 'open' ? earlier : await create()
      await writeDevices(db, [`account:${device.accountId}`], async (tx) => {
        await fence(tx)
        const item = { device: device.id, price: price.id, amount: price.unitAmount }
        const items = [claim.delivery === null ? item : { ...item, delivery: claim.delivery }]
        await saveCheckout(tx, { sessionId: session.id, accountId: payer.accountId, items, openedAt: clock.now() })
        await updateClaim(tx, claim.id, { checkoutId: session.id })
      })
      return { public_key: payments.publicKey, id: session.id, ...(session.url && { url: session.url }) }
    })
  },

  async withdraw({ params }, context) {
    const { db, viewer, clock, payments } = context
    const device = await getOwnedDevice(context, params.id)
    return runExclusive(db, `care of ${device.id}`, async (fence) => {
      const { checkoutId } = await getOpenClaim(db.read, device.id)
      const session = checkoutId === null ? null : await findSession(context, checkoutId)
      if (session?.status === 'complete') await applyPayment(context, stripeId(session.customer))
      if (session?.status === 'open') await payments.stripe.checkout.sessions.expire(session.id)
      return writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
        await fence(tx)
        await getOwnedDeviceInTx(tx, viewer, device.id)
        const claim = await getOpenClaim(tx, device.id)
        return presentClaim(await updateClaim(tx, claim.id, { status: 'withdrawn', closedAt: clock.now() }))
      })
    })
  },
})

/** Throws `no_claim`. */
async function getOpenClaim(db: DbReader, deviceId: number) {
  const claim = await findNewestClaim(db, deviceId)
  if (claim?.status !== 'open') throw new Failure('no_claim')
  return claim
}

/** The price of a new tracker in the currency of the care plan, without the discount. Throws `no_care_plan`, `unknown_price`. */
async function getReplacementPrice(db: DbReader, deviceId: number, now: Date) {
  const plan = await findCarePlan(db, deviceId)
  if (!plan) throw new Failure('no_care_plan')
  const price = await findTrackerPrice(db, plan.currency, now)
  if (!price) throw new Failure('unknown_price')
  return price
}

async function findSession({ payments }: ViewerContext, id: string) {
  try {
    return await payments.stripe.checkout.sessions.retrieve(id)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** Applies a payment whose webhook is late, which closes the claim. Throws `no_claim`. */
async function applyPayment(context: ViewerContext, customer: string | null): Promise<never> {
  if (customer) await syncCustomer(context, customer)
  throw new Failure('no_claim')
}

export const presentClaim = (claim: ClaimRow): CareClaim => ({
  id: claim.id,
  device: claim.deviceId,
  reason: claim.reason,
  description: claim.description,
  delivery: claim.delivery,
  status: claim.status,
  created_at: formatInstant(claim.createdAt),
  closed_at: claim.closedAt && formatInstant(claim.closedAt),
  order: claim.orderReference,
})

const presentListedClaim = ({ claim, tracker, owner }: ListedClaim): ListedCareClaim => ({ ...presentClaim(claim), tracker, owner })

type Cover = { plan: PriceRow | undefined; price: PriceRow | undefined; claim: ClaimRow | undefined }

const presentCover = ({ plan, price, claim }: Cover): CareCover => ({
  has_plan: plan !== undefined,
  replacement: price
    ? {
        full_amount: price.unitAmount,
        unit_amount: discountPrice(price).unitAmount,
        currency: price.currency,
        tax_behavior: price.taxBehavior,
      }
    : null,
  claim: claim ? presentClaim(claim) : null,
})
