import type Stripe from 'stripe'
import { sha256 } from '#server/lib/secrets.ts'
import type { Payments } from '#server/ports/payments.ts'

/**
 * Returns an open checkout session for an idempotency key. Stripe answers a repeated key with the session as created; when that has expired
 * or is paid, a key derived from it is tried, the same one for simultaneous requests.
 */
export async function ensureOpenCheckout(
  payments: Payments,
  params: Stripe.Checkout.SessionCreateParams,
  intent: string,
): Promise<Stripe.Checkout.Session> {
  const { sessions } = payments.stripe.checkout
  const { id } = await sessions.create(params, { idempotencyKey: intent })
  const session = await sessions.retrieve(id)
  return session.status === 'open' ? session : ensureOpenCheckout(payments, params, sha256(intent + id))
}
