import Stripe from 'stripe'

/** The card provider: the official SDK, pointed at the provider or, off production, at our fake. */
export type Payments = {
  stripe: Stripe
  publicKey: string
  webhookSecret: string
}

type Settings = { secretKey: string; publicKey: string; webhookSecret: string; fetch?: typeof fetch }

export function createPayments({ secretKey, publicKey, webhookSecret, fetch }: Settings): Payments {
  const httpClient = Stripe.createFetchHttpClient(fetch)
  return { stripe: new Stripe(secretKey, { httpClient, telemetry: false, maxNetworkRetries: 2 }), publicKey, webhookSecret }
}
