import Stripe from 'stripe'

/** The Stripe SDK, pointed at Stripe or, outside production, at our fake. */
export type Payments = {
  stripe: Stripe
  publicKey: string
  webhookSecret: string
  /** False in test mode: nobody is charged. */
  isLive: boolean
}

type Settings = { secretKey: string; publicKey: string; webhookSecret: string; fetch?: typeof fetch }

export function createPayments({ secretKey, publicKey, webhookSecret, fetch }: Settings): Payments {
  const httpClient = Stripe.createFetchHttpClient(fetch)
  const stripe = new Stripe(secretKey, { httpClient, telemetry: false, maxNetworkRetries: 2 })
  return { stripe, publicKey, webhookSecret, isLive: /^(sk|rk)_live_/.test(secretKey) }
}

/** The id of an object that Stripe returns as an id or expanded. */
export const stripeId = (thing: string | { id: string } | null | undefined): string | null =>
  typeof thing === 'object' ? (thing?.id ?? null) : (thing ?? null)

/** Stripe understood the request and refused the card or the parameters. Anything else is a network or server failure. */
export const isRefusal = (error: unknown) =>
  error instanceof Stripe.errors.StripeCardError || error instanceof Stripe.errors.StripeInvalidRequestError

/** Stripe does not know the object, or has deleted it. */
export const isMissing = (error: unknown) => error instanceof Stripe.errors.StripeError && error.code === 'resource_missing'

const RUNNING: readonly (string | null)[] = ['active', 'trialing', 'past_due']
/** Whether a subscription in this state is still charged. */
export const isRunning = (status: string | null) => RUNNING.includes(status)
