import Stripe from 'stripe'

/** The card provider: the official SDK, pointed at the provider or, off production, at our fake. */
export type Payments = {
  stripe: Stripe
  publicKey: string
  webhookSecret: string
  /** False while payments are tried out: nobody is charged. */
  isLive: boolean
}

type Settings = { secretKey: string; publicKey: string; webhookSecret: string; fetch?: typeof fetch }

export function createPayments({ secretKey, publicKey, webhookSecret, fetch }: Settings): Payments {
  const httpClient = Stripe.createFetchHttpClient(fetch)
  const stripe = new Stripe(secretKey, { httpClient, telemetry: false, maxNetworkRetries: 2 })
  return { stripe, publicKey, webhookSecret, isLive: /^(sk|rk)_live_/.test(secretKey) }
}

/** The provider names a thing by its id, or writes it out when asked to. */
export const idOf = (thing: string | { id: string } | null | undefined): string | null =>
  typeof thing === 'object' ? (thing?.id ?? null) : (thing ?? null)

/** The provider understood and said no: to the card, or to what it was asked. Anything else is a failure of the line or its own. */
export const isRefusal = (error: unknown) =>
  error instanceof Stripe.errors.StripeCardError || error instanceof Stripe.errors.StripeInvalidRequestError

/** The provider knows no such thing, or has forgotten it. */
export const isMissing = (error: unknown) => error instanceof Stripe.errors.StripeError && error.code === 'resource_missing'

const RUNNING: readonly (string | null)[] = ['active', 'trialing', 'past_due']
/** In these states of a subscription the provider goes on charging. */
export const isRunning = (status: string | null) => RUNNING.includes(status)
