import { sha256 } from '#server/lib/secrets.ts'
import { Problem } from '#server/mock/stripe/api/endpoint.ts'
import { eventEndpoints } from '#server/mock/stripe/api/events.ts'
import { parseForm } from '#server/mock/stripe/api/form.ts'
import { createId, type Provider } from '#server/mock/stripe/api/provider.ts'
import { portalConfigurationEndpoints, portalEndpoints } from '#server/mock/stripe/billing/billing-portal.ts'
import { catalogueEndpoints } from '#server/mock/stripe/billing/catalogue.ts'
import { customerEndpoints } from '#server/mock/stripe/billing/customers.ts'
import { invoiceEndpoints } from '#server/mock/stripe/billing/invoice-payments.ts'
import { paymentMethodEndpoints, setupIntentEndpoints } from '#server/mock/stripe/billing/payment-methods.ts'
import { subscriptionEndpoints } from '#server/mock/stripe/billing/subscription.endpoints.ts'
import { checkoutEndpoints } from '#server/mock/stripe/checkout/checkout.ts'
import { testClockEndpoints } from './due-work.ts'

const endpoints = [
  ...customerEndpoints,
  ...checkoutEndpoints,
  ...portalEndpoints,
  ...paymentMethodEndpoints,
  ...invoiceEndpoints,
  ...subscriptionEndpoints,
  ...eventEndpoints,
  ...catalogueEndpoints,
  ...portalConfigurationEndpoints,
  ...setupIntentEndpoints,
  ...testClockEndpoints,
].map((one) => ({
  ...one,
  pattern: new RegExp(`^${one.path.replace(':id', '([^/]+)')}$`),
}))

type SavedResponse = { fingerprint: string; body: string }

/** The fake API as a `fetch` function, so that the official SDK reaches it without a socket. Requests wait until `ready` resolves. */
export function createStripeFetch(provider: Provider, secretKey: string, ready: () => Promise<void> = async () => {}): typeof fetch {
  const replies = new Map<string, SavedResponse>()
  return async (input, init) => {
    const request = new Request(input, init)
    const text = await request.text()
    await ready()
    try {
      if (request.headers.get('authorization') !== `Bearer ${secretKey}`) throw new Problem('Invalid API Key provided', { status: 401 })
      return jsonResponse(
        provider,
        replayOrRun(replies, request, text, () => JSON.stringify(handleRequest(provider, request, text))),
      )
    } catch (error) {
      if (error instanceof Problem) return error.toResponse()
      throw error
    }
  }
}

/** Returns the saved response for a repeated idempotency key; rejects the key when the parameters differ. */
function replayOrRun(replies: Map<string, SavedResponse>, { method, url, headers }: Request, text: string, answer: () => string) {
  const key = headers.get('idempotency-key')
  if (method !== 'POST' || !key) return { body: answer(), isReplay: false }
  const fingerprint = sha256(`${url} ${text}`)
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
    if (match) return one.handle(provider, match[1] ?? '', parseForm(method === 'POST' ? text : search))
  }
  throw new Problem(`Unrecognized request URL (${method}: ${pathname}).`, { status: 404 })
}

const jsonResponse = (provider: Provider, { body, isReplay }: { body: string; isReplay: boolean }) =>
  new Response(body, {
    headers: {
      'content-type': 'application/json',
      'request-id': createId(provider, 'req'),
      ...(isReplay && { 'idempotent-replayed': 'true' }),
    },
  })
