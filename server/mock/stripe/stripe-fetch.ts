import { hash } from 'node:crypto'
import { type Endpoint, Problem } from '#server/mock/stripe/api/endpoint.ts'
import { eventEndpoints } from '#server/mock/stripe/api/events.ts'
import { parseForm } from '#server/mock/stripe/api/form.ts'
import { createId, type Provider } from '#server/mock/stripe/api/provider.ts'
import { portalConfigurationEndpoints, portalEndpoints } from '#server/mock/stripe/billing/billing-portal.ts'
import { catalogueEndpoints } from '#server/mock/stripe/billing/catalogue.ts'
import { customerEndpoints } from '#server/mock/stripe/billing/customers.ts'
import { invoiceEndpoints, invoiceItemEndpoints } from '#server/mock/stripe/billing/invoice.endpoints.ts'
import { subscriptionEndpoints } from '#server/mock/stripe/billing/subscription.endpoints.ts'
import { taxRateEndpoints } from '#server/mock/stripe/billing/tax-rates.ts'
import { checkoutEndpoints } from '#server/mock/stripe/checkout/checkout.ts'
import { chargeEndpoints, refundEndpoints } from '#server/mock/stripe/payments/charges.ts'
import { disputeEndpoints } from '#server/mock/stripe/payments/disputes.ts'
import { paymentIntentEndpoints } from '#server/mock/stripe/payments/payment-intent.endpoints.ts'
import { paymentMethodEndpoints } from '#server/mock/stripe/payments/payment-methods.ts'
import { setupIntentEndpoints } from '#server/mock/stripe/payments/setup-intents.ts'
import { testClockEndpoints } from './due-work.ts'
import { webhookEndpoints } from './webhook-endpoints.ts'

/** All endpoints, in the order of the documentation. */
export const stripeEndpoints: readonly Endpoint[] = [
  ...catalogueEndpoints,
  ...taxRateEndpoints,
  ...customerEndpoints,
  ...paymentMethodEndpoints,
  ...paymentIntentEndpoints,
  ...setupIntentEndpoints,
  ...chargeEndpoints,
  ...refundEndpoints,
  ...disputeEndpoints,
  ...subscriptionEndpoints,
  ...invoiceEndpoints,
  ...invoiceItemEndpoints,
  ...checkoutEndpoints,
  ...portalEndpoints,
  ...portalConfigurationEndpoints,
  ...eventEndpoints,
  ...webhookEndpoints,
  ...testClockEndpoints,
]

const endpoints = stripeEndpoints.map((one) => ({ ...one, pattern: new RegExp(`^${one.path.replace(':id', '([^/]+)')}$`) }))

type SavedResponse = { fingerprint: string; body: string }

/** The fake API as a `fetch` function, so that the official SDK reaches it without a socket. Requests wait until `ready` resolves. */
export function createStripeFetch(provider: Provider, secretKey: string, ready: () => Promise<void> = async () => {}): typeof fetch {
  const replies = new Map<string, SavedResponse>()
  return async (input, init) => {
    const request = new Request(input, init)
    const text = await request.text()
    await ready()
    const id = createId(provider, 'req')
    const idempotencyKey = request.headers.get('idempotency-key')
    provider.caller = {
      id,
      idempotencyKey,
      isPortal: !request.headers.has(OUTSIDE_HEADER),
      version: request.headers.get(VERSION_HEADER) ?? '',
    }
    try {
      if (request.headers.get('authorization') !== `Bearer ${secretKey}`) throw new Problem('Invalid API Key provided', { status: 401 })
      refuseOtherAccounts(request.headers)
      const { body, isReplay } = replayOrRun(replies, request, text, () => JSON.stringify(handleRequest(provider, request, text)))
      const headers = { 'content-type': 'application/json', 'request-id': id, ...(isReplay && { 'idempotent-replayed': 'true' }) }
      return new Response(body, { headers })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const answer = error.toResponse()
      answer.headers.set('request-id', id)
      return answer
    } finally {
      provider.caller = null
    }
  }
}

/** Marks a request that does not come from the portal of the same world. */
export const OUTSIDE_HEADER = 'x-from-outside'

/** The version of the API that a client expects. */
export const VERSION_HEADER = 'stripe-version'

/** Headers with which a platform acts for a connected account. */
export const ACCOUNT_HEADERS = ['stripe-account', 'stripe-context'] as const

/** Otherwise connected accounts would share the data of their platform. */
function refuseOtherAccounts(headers: Headers) {
  for (const name of ACCOUNT_HEADERS) {
    const account = headers.get(name)
    if (account === null) continue
    const header = name === 'stripe-account' ? 'Stripe-Account' : 'Stripe-Context'
    throw new Problem(
      `The provided key does not have access to account '${account}' (or that account does not exist). The fake has no connected accounts: leave out the header ${header}, and use another secret key for an account of its own.`,
      { status: 403, code: 'account_invalid' },
    )
  }
}

/** Returns the saved response for a repeated idempotency key; rejects the key when the parameters differ. */
function replayOrRun(replies: Map<string, SavedResponse>, { method, url, headers }: Request, text: string, answer: () => string) {
  const key = headers.get('idempotency-key')
  if (method !== 'POST' || !key) return { body: answer(), isReplay: false }
  const fingerprint = hash('sha256', `${url} ${text}`, 'hex')
  const known = replies.get(key)
  if (known && known.fingerprint !== fingerprint)
    throw new Problem('Keys for idempotent requests can only be used with the same parameters they were first used with.', {
      type: 'idempotency_error',
    })
  const body = known?.body ?? answer()
  replies.set(key, { fingerprint, body })
  return { body, isReplay: known !== undefined }
}

function handleRequest(provider: Provider, { method, url }: Request, text: string) {
  const { pathname, search } = new URL(url)
  for (const { pattern, ...one } of endpoints) {
    const match = one.method === method && pattern.exec(pathname)
    if (match) return one.handle(provider, match[1] ?? '', parseForm([search.slice(1), text].filter(Boolean).join('&')))
  }
  throw new Problem(`Unrecognized request URL (${method}: ${pathname}).`, { status: 404 })
}
