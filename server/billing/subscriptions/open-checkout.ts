import type Stripe from 'stripe'
import { sha256 } from '#server/lib/secrets.ts'
import type { Payments } from '#server/ports/payments.ts'

/**
 * The checkout of an intent that can still be paid. The provider answers a repeated intent with the session as it was when it
 * was made; one that has expired or was paid since then leads on to the next, the same for whoever asks twice.
 */
export async function openCheckout(
  payments: Payments,
  params: Stripe.Checkout.SessionCreateParams,
  intent: string,
): Promise<Stripe.Checkout.Session> {
  const { sessions } = payments.stripe.checkout
  const { id } = await sessions.create(params, { idempotencyKey: intent })
  const session = await sessions.retrieve(id)
  return session.status === 'open' ? session : openCheckout(payments, params, sha256(intent + id))
}
