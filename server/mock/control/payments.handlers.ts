import type { FastifyInstance } from 'fastify'
import type { CARDS, payments as contract } from '#contracts/mock/payments.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure } from '#server/lib/errors.ts'
import type { CheckoutPayment } from '#server/mock/stripe/pay.ts'
import { findStripeSubscriptionId } from '#server/mock/stripe/payment-faults.store.ts'
import { deliverEvents } from '#server/mock/stripe/tell.ts'
import type { MockWorlds } from '#server/mock/worlds/worlds.ts'
import type { World } from '#server/ports/world.ts'

/** Test cards by outcome. A renewal fails with a card that always asks for confirmation, because the cardholder is absent. */
const NUMBERS: Record<(typeof CARDS)[number], string> = {
  success: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  insufficient: '4000 0000 0000 9995',
  '3ds': '4000 0027 6000 3184',
  renewal_fails: '4000 0027 6000 3184',
}

/** Controls the fake Stripe; the events that follow are delivered to the webhook of `app`. */
export function payments(app: FastifyInstance, worlds: MockWorlds): Handlers<typeof contract> {
  const stripeOf = ({ id }: Pick<World, 'id'>) => worlds.get(id)!.stripe

  function sessionOf(world: World, id: string) {
    const session = stripeOf(world).session(id)
    if (!session) throw new Failure('not_found')
    return session
  }
  function openSession(world: World, id: string) {
    const session = sessionOf(world, id)
    if (session.status === 'complete') throw new Failure('already_paid')
    if (session.status === 'expired') throw new Failure('expired')
    return session
  }
  const letterOf = (world: World, id: string) =>
    stripeOf(world)
      .letters()
      .find((letter) => letter.id === id)!

  return {
    async complete({ params: { id }, body: { card, sca } }, world) {
      openSession(world, id)
      const stripe = stripeOf(world)
      const asked = stripe.pay(id, NUMBERS[card as keyof typeof NUMBERS] ?? card)
      const paid = asked.outcome === 'asked' ? stripe.answer(id, sca) : asked
      await deliverEvents(app, world, stripe)
      const { status, success_url, url } = sessionOf(world, id)
      return { ...chargeOf(paid), status: status ?? 'open', url: status === 'complete' ? success_url : url }
    },
    cancel({ params: { id } }, world) {
      const { status, cancel_url } = sessionOf(world, id)
      return { status: status ?? 'open', url: cancel_url }
    },
    async expire({ params: { id } }, world) {
      openSession(world, id)
      const { status, cancel_url } = await world.payments.stripe.checkout.sessions.expire(id)
      await deliverEvents(app, world, stripeOf(world))
      return { status: status ?? 'expired', url: cancel_url }
    },
    async renew({ params: { id }, body: { outcome } }, world) {
      const stripe = stripeOf(world)
      const subscription = /^\d+$/.test(id) ? await findStripeSubscriptionId(world.db.read, Number(id)) : id
      await stripe.nextDue() // waits until the test account is filled
      const renewed = subscription && stripe.renew(subscription, NUMBERS[outcome])
      if (!renewed) throw new Failure('not_found')
      await deliverEvents(app, world, stripe)
      const { status } = await world.payments.stripe.subscriptions.retrieve(subscription)
      return { outcome: renewed.fault ? 'refused' : 'paid', fault: renewed.fault, invoice: renewed.invoice.id, status }
    },
    webhooks: (_, world) => stripeOf(world).settings(),
    async setWebhooks({ body }, world) {
      const settings = stripeOf(world).set(body)
      await deliverEvents(app, world, stripeOf(world))
      return settings
    },
    events: (_, world) => [...stripeOf(world).letters()],
    async deliver({ params: { id } }, world) {
      const event = stripeOf(world).find(id)
      if (!event || !letterOf(world, id)) throw new Failure('not_found')
      await deliverEvents(app, world, stripeOf(world), [event])
      return letterOf(world, id)
    },
    async flush(_, world) {
      const delivered = stripeOf(world).takeWaiting()
      await deliverEvents(app, world, stripeOf(world), delivered)
      const ids = new Set(delivered.map(({ id }) => id))
      return stripeOf(world)
        .letters()
        .filter(({ id }) => ids.has(id))
    },
  }
}

function chargeOf(payment: CheckoutPayment): { outcome: 'paid' | 'refused' | 'asked'; fault: string | null } {
  if (payment.outcome === 'refused') return { outcome: 'refused', fault: payment.fault }
  return { outcome: payment.outcome === 'paid' ? 'paid' : 'asked', fault: null }
}
