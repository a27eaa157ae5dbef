import Stripe from 'stripe'
import * as z from 'zod/mini'
import { endpoint, missingObject } from '#server/mock/stripe/api/endpoint.ts'
import { EVENT_TYPES } from '#server/mock/stripe/api/event-types.ts'
import { API_VERSION } from '#server/mock/stripe/api/events.ts'
import { Pagination, paginate } from '#server/mock/stripe/api/lists.ts'
import { Bool, Link, Metadata, mergeMetadata, NoInput, Text } from '#server/mock/stripe/api/parameters.ts'
import { createId, nowInSeconds, type Provider, type WebhookEndpoint } from '#server/mock/stripe/api/provider.ts'
import type { Clock } from './port.ts'

const PATH = '/v1/webhook_endpoints'
const SELECTABLE: readonly string[] = ['*', ...EVENT_TYPES]
const EventTypes = z
  .array(
    z.enum(SELECTABLE, {
      error: `the fake never sends it; must be *, ${EVENT_TYPES.slice(0, -1).join(', ')}, or ${EVENT_TYPES.at(-1)}`,
    }),
  )
  .check(z.minLength(1))
const NewEndpoint = z.strictObject({
  url: Link,
  enabled_events: EventTypes,
  api_version: z.optional(z.literal(API_VERSION)),
  description: z.optional(Text),
  metadata: z.optional(Metadata),
})
const EndpointChange = z.strictObject({
  url: z.optional(Link),
  enabled_events: z.optional(EventTypes),
  description: z.optional(Text),
  disabled: z.optional(Bool),
  metadata: z.optional(Metadata),
})

/** Addresses that receive the account's events. */
export const webhookEndpoints = [
  endpoint('POST', PATH, NewEndpoint, (provider, { url, enabled_events, api_version, description, metadata }) => {
    const made: Stripe.WebhookEndpoint = {
      id: createId(provider, 'we'),
      object: 'webhook_endpoint',
      api_version: api_version ?? null,
      application: null,
      created: nowInSeconds(provider),
      description: description ?? null,
      enabled_events,
      livemode: false,
      metadata: mergeMetadata({}, metadata),
      status: 'enabled',
      url,
    }
    const secret = createId(provider, 'whsec')
    provider.webhookEndpoints.set(made.id, { endpoint: made, secret })
    return { ...made, secret }
  }),
  endpoint('GET', PATH, z.strictObject(Pagination), ({ webhookEndpoints: known }, paging) =>
    paginate(
      [...known.values()].map((one) => one.endpoint),
      paging,
      PATH,
    ),
  ),
  endpoint('GET', `${PATH}/:id`, NoInput, (provider, _, id) => getEndpoint(provider, id).endpoint),
  endpoint('POST', `${PATH}/:id`, EndpointChange, (provider, { disabled, metadata, ...change }, id) => {
    const { endpoint: known, secret } = getEndpoint(provider, id)
    const status = disabled === undefined ? known.status : disabled ? 'disabled' : 'enabled'
    const changed: Stripe.WebhookEndpoint = { ...known, ...change, metadata: mergeMetadata(known.metadata, metadata), status }
    provider.webhookEndpoints.set(id, { endpoint: changed, secret })
    return changed
  }),
  endpoint('DELETE', `${PATH}/:id`, NoInput, (provider, _, id) => {
    getEndpoint(provider, id)
    provider.webhookEndpoints.delete(id)
    return { id, object: 'webhook_endpoint', deleted: true }
  }),
]

function getEndpoint({ webhookEndpoints: known }: Provider, id: string) {
  const found = known.get(id)
  if (!found) throw missingObject('webhook endpoint', id)
  return found
}

const isWanted = ({ endpoint: { enabled_events, status } }: WebhookEndpoint, type: string) =>
  status === 'enabled' && (enabled_events.includes('*') || enabled_events.includes(type))

/** Seconds by the clock of the account until the next attempt, after each failed one. Stripe's own waits are longer. */
const RETRY_SECONDS = [60, 600, 3600]
const TIMEOUT_MS = 10_000

type Delivery = { event: Stripe.Event; endpoint: string; attempts: number; due: number }
type Attempt = { event: Stripe.Event; status: number }

export type EndpointSenderPorts = {
  send: typeof fetch
  /** Receivers compare the time of a signature with their own clock, so the account's clock is not used. */
  wall: Clock
  signature(): 'valid' | 'missing' | 'invalid'
  note(attempt: Attempt): void
}

export type EndpointSender = ReturnType<typeof createEndpointSender>

/** Posts events to the webhook endpoints of an account, signed with their secrets; failed events are sent again. */
export function createEndpointSender(provider: Provider, { send, wall, signature, note }: EndpointSenderPorts) {
  let retries: Delivery[] = []

  async function deliver({ event, endpoint: id, attempts }: Delivery) {
    const found = provider.webhookEndpoints.get(id)
    if (!found || !isWanted(found, event.type)) return
    const payload = JSON.stringify({ ...event, pending_webhooks: 1 }, null, 2)
    const timestamp = Math.floor(wall.now().getTime() / 1000)
    const isSigned = signature()
    const signed = isSigned === 'valid' ? await signPayload(payload, found.secret, timestamp) : 't=1,v1=forged'
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      ...(isSigned !== 'missing' && { 'stripe-signature': signed }),
    }
    const status = await send(found.endpoint.url, {
      method: 'POST',
      headers,
      body: payload,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).then(
      (answer) => answer.status,
      () => 0,
    )
    note({ event, status })
    const wait = RETRY_SECONDS[attempts]
    if ((status < 200 || status > 299) && wait !== undefined)
      retries.push({ event, endpoint: id, attempts: attempts + 1, due: nowInSeconds(provider) + wait })
  }

  return {
    wants: (type: string) => [...provider.webhookEndpoints.values()].some((one) => isWanted(one, type)),
    /** Resolves once every endpoint has responded, or has not within ten seconds. */
    async sendEvent(event: Stripe.Event) {
      const wanted = [...provider.webhookEndpoints.values()].filter((one) => isWanted(one, event.type))
      await Promise.all(wanted.map(({ endpoint: { id } }) => deliver({ event, endpoint: id, attempts: 0, due: 0 })))
    },
    nextRetry: () => (retries.length === 0 ? null : new Date(Math.min(...retries.map(({ due }) => due)) * 1000)),
    async sendRetries() {
      const now = nowInSeconds(provider)
      const due = retries.filter((one) => one.due <= now)
      retries = retries.filter((one) => one.due > now)
      for (const one of due) await deliver(one)
    },
  }
}

const signPayload = (payload: string, secret: string, timestamp: number) =>
  Stripe.webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp })
