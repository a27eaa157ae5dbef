import Stripe from 'stripe'
import { isLiveKey, type PaymentCalls, watchPaymentCalls } from './payment-calls.ts'
import type { Log } from './world.ts'

/** The Stripe SDK, configured for Stripe or for our fake. */
export type Payments = {
  stripe: Stripe
  /** The same for a request of a user, whose calls end at a deadline. */
  connectUntil(deadline: AbortSignal): Stripe
  /** How long a user waits for a response. */
  patienceMs: number
  calls: Omit<PaymentCalls, 'send'>
  publicKey: string
  webhookSecret: string
  /** False in test mode: no card is charged. */
  isLive: boolean
}

type Limits = { callMs: number; patienceMs: number }
type Settings = {
  secretKey: string
  publicKey: string
  webhookSecret: string
  /** The origin of another server with Stripe's API, such as the fake. */
  apiUrl?: string | undefined
  fetch?: typeof fetch
  log?: Pick<Log, 'info' | 'warn'>
  limits?: Limits
}

const LIMITS: Limits = { callMs: 10_000, patienceMs: 25_000 }
const RETRIES = 2
/** A user prefers a quick error. */
const RETRIES_FOR_PERSON = 1

export function createPayments({
  secretKey,
  publicKey,
  webhookSecret,
  apiUrl,
  fetch = globalThis.fetch,
  log,
  limits = LIMITS,
}: Settings): Payments {
  const calls = watchPaymentCalls(fetch, log)
  const connect = (send: typeof fetch, maxNetworkRetries: number) =>
    new Stripe(secretKey, {
      httpClient: Stripe.createFetchHttpClient(send),
      telemetry: false,
      timeout: limits.callMs,
      maxNetworkRetries,
      ...(apiUrl && splitOrigin(apiUrl)),
    })
  return {
    stripe: connect(calls.send, RETRIES),
    connectUntil: (deadline) => connect((input, init) => calls.send(input, endAt(init, deadline)), RETRIES_FOR_PERSON),
    patienceMs: limits.patienceMs,
    calls,
    publicKey,
    webhookSecret,
    isLive: isLiveKey(secretKey),
  }
}

/** The SDK takes the parts of an address, without a path. */
function splitOrigin(origin: string) {
  const { protocol, hostname: host, port } = new URL(origin)
  const isPlain = protocol === 'http:'
  return { protocol: isPlain ? ('http' as const) : ('https' as const), host, port: port || (isPlain ? '80' : '443') }
}

const endAt = (init: RequestInit | undefined, deadline: AbortSignal): RequestInit => ({
  ...init,
  signal: init?.signal ? AbortSignal.any([init.signal, deadline]) : deadline,
})

/** Stripe was unreachable, failed or does not know our key. The calls themselves log that. */
export const isUnreachable = (error: unknown) =>
  error instanceof Stripe.errors.StripeConnectionError ||
  error instanceof Stripe.errors.StripeAPIError ||
  error instanceof Stripe.errors.StripeAuthenticationError ||
  error instanceof Stripe.errors.StripeRateLimitError

/** The id of an object that Stripe returns as an id or expanded. */
export const stripeId = (thing: string | { id: string } | null | undefined): string | null =>
  typeof thing === 'object' ? (thing?.id ?? null) : (thing ?? null)

/** Stripe processed the request and rejected the card or the parameters. Anything else is a network or server failure. */
export const isRefusal = (error: unknown) =>
  error instanceof Stripe.errors.StripeCardError || error instanceof Stripe.errors.StripeInvalidRequestError

/** Stripe does not know the object, or has deleted it. */
export const isMissing = (error: unknown) => error instanceof Stripe.errors.StripeError && error.code === 'resource_missing'

/** Statuses in which a subscription is still charged. */
export const RUNNING = ['active', 'trialing', 'past_due']
/** Whether a subscription in this state is still charged. */
export const isRunning = (status: string | null) => status !== null && RUNNING.includes(status)
