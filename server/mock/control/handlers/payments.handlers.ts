import type { FastifyInstance } from 'fastify'
import type { CARDS, payments as contract } from '#contracts/mock/payments.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { deliverEvents } from '#server/mock/payments/deliver-events.ts'
import { findStripeInvoiceId, findStripeSubscriptionId } from '#server/mock/payments/payments.store.ts'
import { type CheckoutPayment, Problem } from '#server/mock/stripe/index.ts'
import type { MockWorld } from '#server/mock/worlds/world.ts'
import type { MockWorlds } from '#server/mock/worlds/worlds.ts'
import type { World } from '#server/ports/world.ts'

/** Test cards by outcome. A renewal fails with a card that always asks for confirmation, because the cardholder is absent. */
const CARD_NUMBERS: Record<(typeof CARDS)[number], string> = {
  success: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  insufficient: '4000 0000 0000 9995',
  '3ds': '4000 0027 6000 3184',
  renewal_fails: '4000 0027 6000 3184',
}

/** Controls the fake Stripe; the resulting events are delivered to the webhook of `app`. */
export function payments(app: FastifyInstance, worlds: MockWorlds): Handlers<typeof contract> {
  const getStripe = ({ id }: Pick<World, 'id'>) => worlds.get(id)!.stripe

  function getSession(world: World, id: string) {
    const session = getStripe(world).findSession(id)
    if (!session) throw new Failure('not_found')
    return session
  }
  function getOpenSession(world: World, id: string) {
    const session = getSession(world, id)
    if (session.status === 'complete') throw new Failure('already_paid')
    if (session.status === 'expired') throw new Failure('expired')
    return session
  }
  const findInvoiceId = async ({ db }: World, id: string) =>
    /^\d+$/.test(id) ? ((await findStripeInvoiceId(db.read, Number(id))) ?? '') : id
  const getEvent = (world: World, id: string) =>
    getStripe(world)
      .listEvents()
      .find((event) => event.id === id)!

  return {
    async complete({ params: { id }, body: { card, sca } }, world) {
      getOpenSession(world, id)
      const stripe = getStripe(world)
      const first = stripe.pay(id, CARD_NUMBERS[card as keyof typeof CARD_NUMBERS] ?? card)
      const paid = first.outcome === 'asked' ? stripe.confirmPayment(id, sca) : first
      await deliverEvents(app, world, stripe)
      const { status, success_url, url } = getSession(world, id)
      return { ...presentCharge(paid), status: status ?? 'open', url: status === 'complete' ? success_url : url }
    },
    cancel({ params: { id } }, world) {
      const { status, cancel_url } = getSession(world, id)
      return { status: status ?? 'open', url: cancel_url }
    },
    async expire({ params: { id } }, world) {
      getOpenSession(world, id)
      const { status, cancel_url } = await world.payments.stripe.checkout.sessions.expire(id)
      await deliverEvents(app, world, getStripe(world))
      return { status: status ?? 'expired', url: cancel_url }
    },
    async renew({ params: { id }, body: { outcome } }, world) {
      const stripe = getStripe(world)
      const subscription = /^\d+$/.test(id) ? await findStripeSubscriptionId(world.db.read, Number(id)) : id
      await stripe.nextDue() // waits until the test account is filled
      const renewed = subscription && stripe.renewNow(subscription, CARD_NUMBERS[outcome])
      if (!renewed) throw new Failure('not_found')
      await deliverEvents(app, world, stripe)
      const { status } = await world.payments.stripe.subscriptions.retrieve(subscription)
      return { outcome: renewed.fault ? 'refused' : 'paid', fault: renewed.fault, invoice: renewed.invoice.id, status }
    },
    async refund({ params: { id }, body: { amount } }, world) {
      const stripe = getStripe(world)
      await stripe.nextDue() // waits until the test account is filled
      const charge = refund(stripe, await findInvoiceId(world, id), amount)
      if (!charge) throw new Failure('not_found')
      await deliverEvents(app, world, stripe)
      return { refunded: charge.amount_refunded, amount: charge.amount }
    },
    async dispute({ params: { id }, body: { outcome } }, world) {
      const stripe = getStripe(world)
      await stripe.nextDue() // waits until the test account is filled
      const dispute = stripe.disputeInvoice(await findInvoiceId(world, id), outcome)
      if (!dispute) throw new Failure('not_found')
      await deliverEvents(app, world, stripe)
      return { dispute: dispute.id, status: dispute.status }
    },
    webhooks: (_, world) => getStripe(world).settings(),
    async setWebhooks({ body }, world) {
      const settings = getStripe(world).changeSettings(body)
      await deliverEvents(app, world, getStripe(world))
      return settings
    },
    events: (_, world) => [...getStripe(world).listEvents()],
    async deliver({ params: { id } }, world) {
      const event = getStripe(world).findEvent(id)
      if (!event || !getEvent(world, id)) throw new Failure('not_found')
      await deliverEvents(app, world, getStripe(world), [event])
      return getEvent(world, id)
    },
    async flush(_, world) {
      const delivered = getStripe(world).takeWaiting()
      await deliverEvents(app, world, getStripe(world), delivered)
      const ids = new Set(delivered.map(({ id }) => id))
      return getStripe(world)
        .listEvents()
        .filter(({ id }) => ids.has(id))
    },
  }
}

/** Throws `validation_error` for more than the amount that was paid and not refunded yet. */
function refund(stripe: MockWorld['stripe'], id: string, amount: number | undefined) {
  try {
    return stripe.refundInvoice(id, amount)
  } catch (error) {
    if (error instanceof Problem) throw invalidField('amount', error.message)
    throw error
  }
}

function presentCharge(payment: CheckoutPayment): { outcome: 'paid' | 'refused' | 'asked'; fault: string | null } {
  if (payment.outcome === 'refused') return { outcome: 'refused', fault: payment.fault }
  return { outcome: payment.outcome === 'paid' ? 'paid' : 'asked', fault: null }
}
