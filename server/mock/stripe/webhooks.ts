import type Stripe from 'stripe'
import { type Clock, createRandom, formatInstant, type PaymentEvent, systemClock, type Webhooks } from './port.ts'
import type { StripeFake } from './stripe-fake.ts'

type QueuedEvent = { event: Stripe.Event; due: number; state: PaymentEvent['state']; deliveries: { at: Date; status: number }[] }

/** Controls how events of the fake Stripe reach the webhook of its host. */
export type WebhookQueue = {
  settings(): Webhooks
  changeSettings(change: Partial<Webhooks>): Webhooks
  listEvents(): readonly PaymentEvent[]
  findEvent(id: string): Stripe.Event | undefined
  /** Takes every waiting event, due or not. */
  takeWaiting(): readonly Stripe.Event[]
  recordDelivery(event: Stripe.Event, status: number): void
  /** Posts an event to the account's webhook endpoints that subscribe to it. */
  sendToEndpoints(event: Stripe.Event): Promise<void>
  /** Sends events again that an endpoint failed to accept, once they are due. */
  sendRetries(): Promise<void>
}

export type MockStripe = StripeFake & WebhookQueue

const DEFAULT_SETTINGS: Webhooks = { mode: 'auto', delay_ms: 0, order: 'as_happened', duplicate: false, drop: 0, signature: 'valid' }
const FORGED_SIGNATURE = 't=1,v1=forged'

type QueuePorts = {
  clock: Clock
  seed: number
  /** Events that the host takes itself, whatever webhook endpoints the account has. */
  isForHost?: (event: Stripe.Event) => boolean
  onDelivery?: (delivery: { id: string; type: string; status: number }) => void
  wall?: Clock
  send?: typeof fetch
}

/** Wraps a fake Stripe so that its events can be delayed, reordered, duplicated, dropped or badly signed. */
export function withWebhookQueue(
  stripe: StripeFake,
  { clock, seed, isForHost = () => false, onDelivery = () => {}, wall = systemClock, send = globalThis.fetch }: QueuePorts,
): MockStripe {
  const draw = createRandom(seed)
  const queue: QueuedEvent[] = []
  let settings = DEFAULT_SETTINGS
  let pinnedTime: Date | null = null
  const now = () => pinnedTime ?? clock.now()
  const sender = stripe.createEndpointSender({
    send,
    wall,
    signature: () => settings.signature,
    note: ({ event, status }) => recordDelivery(event, status),
  })

  function recordDelivery(event: Stripe.Event, status: number) {
    const entry = queue.find((one) => one.event.id === event.id)
    entry?.deliveries.push({ at: now(), status })
    if (entry) entry.state = status >= 200 && status < 300 ? 'delivered' : 'refused'
    onDelivery({ id: event.id, type: event.type, status })
  }

  function queueNewEvents() {
    for (const event of stripe.takeEvents()) {
      if (!isForHost(event) && !sender.wants(event.type)) continue
      const isLost = settings.mode === 'off' || (settings.drop > 0 && draw() < settings.drop)
      const due = now().getTime() + settings.delay_ms
      queue.push({ event, due, state: isLost ? 'dropped' : 'waiting', deliveries: [] })
    }
  }
  const waiting = () => queue.filter(({ state }) => state === 'waiting')
  function release(entries: readonly QueuedEvent[]) {
    for (const entry of entries) entry.state = 'delivered'
    return putInOrder(entries).flatMap(({ event }) => (settings.duplicate ? [event, event] : [event]))
  }
  function putInOrder(entries: readonly QueuedEvent[]) {
    if (settings.order === 'reversed') return entries.toReversed()
    if (settings.order === 'as_happened') return entries
    return entries
      .map((entry) => ({ entry, at: draw() }))
      .sort((a, b) => a.at - b.at)
      .map(({ entry }) => entry)
  }

  return {
    ...stripe,
    settings: () => settings,
    changeSettings(change) {
      queueNewEvents()
      settings = { ...settings, ...change }
      return settings
    },
    listEvents() {
      queueNewEvents()
      return queue.map(presentEvent).reverse()
    },
    findEvent: (id) => stripe.events.find((event) => event.id === id),
    takeEvents() {
      queueNewEvents()
      return settings.mode === 'auto' ? release(waiting().filter(({ due }) => due <= now().getTime())) : []
    },
    takeWaiting() {
      queueNewEvents()
      return release(waiting())
    },
    async runAt(instant, work) {
      pinnedTime = instant
      try {
        return await stripe.runAt(instant, work)
      } finally {
        pinnedTime = null
      }
    },
    async nextDue() {
      const due = settings.mode === 'auto' ? waiting().map((entry) => entry.due) : []
      const next = await stripe.nextDue()
      const all = [...due, ...[next, sender.nextRetry()].flatMap((one) => one?.getTime() ?? [])]
      return all.length > 0 ? new Date(Math.min(...all)) : null
    },
    sign(event) {
      const signed = stripe.sign(event)
      if (settings.signature === 'valid') return signed
      return { ...signed, signature: settings.signature === 'missing' ? '' : FORGED_SIGNATURE }
    },
    recordDelivery,
    sendToEndpoints: (event) => sender.sendEvent(event),
    sendRetries: () => sender.sendRetries(),
  }
}

const presentEvent = ({ event, state, deliveries }: QueuedEvent): PaymentEvent => ({
  id: event.id,
  type: event.type,
  created: formatInstant(new Date(event.created * 1000)),
  state,
  deliveries: deliveries.map(({ at, status }) => ({ at: formatInstant(at), status })),
})
