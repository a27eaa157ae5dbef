import type Stripe from 'stripe'
import type { PaymentEvent, Webhooks } from '#contracts/mock/payments.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { Events } from '#server/mock/events/events.ts'
import { chance } from '#server/mock/lib/chance.ts'
import type { Clock } from '#server/ports/clock.ts'
import type { StripeFake } from './fake.ts'

type QueuedEvent = { event: Stripe.Event; due: number; state: PaymentEvent['state']; deliveries: { at: Date; status: number }[] }

/** Controls how events of the fake Stripe reach the portal's webhook. */
export type WebhookQueue = {
  settings(): Webhooks
  changeSettings(change: Partial<Webhooks>): Webhooks
  listEvents(): readonly PaymentEvent[]
  findEvent(id: string): Stripe.Event | undefined
  /** Takes every waiting event, due or not. */
  takeWaiting(): readonly Stripe.Event[]
  /** Records the response of the webhook to an event. */
  recordDelivery(event: Stripe.Event, status: number): void
}

export type MockStripe = StripeFake & WebhookQueue

const DEFAULT_SETTINGS: Webhooks = { mode: 'auto', delay_ms: 0, order: 'as_happened', duplicate: false, drop: 0, signature: 'valid' }
const FORGED_SIGNATURE = 't=1,v1=forged'

/** Wraps a fake Stripe so that its events can be delayed, reordered, duplicated, dropped or badly signed. */
export function withWebhookQueue(stripe: StripeFake, { clock, events, seed }: { clock: Clock; events: Events; seed: number }): MockStripe {
  const draw = chance(seed)
  const letters: QueuedEvent[] = []
  let settings = DEFAULT_SETTINGS
  let pinned: Date | null = null
  const now = () => pinned ?? clock.now()

  function collect() {
    for (const event of stripe.takeEvents()) {
      const isLost = settings.mode === 'off' || (settings.drop > 0 && draw() < settings.drop)
      const due = now().getTime() + settings.delay_ms
      letters.push({ event, due, state: isLost ? 'dropped' : 'waiting', deliveries: [] })
    }
  }
  const waiting = () => letters.filter(({ state }) => state === 'waiting')
  function handOver(taken: readonly QueuedEvent[]) {
    for (const letter of taken) letter.state = 'delivered'
    return inOrder(taken).flatMap(({ event }) => (settings.duplicate ? [event, event] : [event]))
  }
  function inOrder(taken: readonly QueuedEvent[]) {
    if (settings.order === 'reversed') return taken.toReversed()
    if (settings.order === 'as_happened') return taken
    return taken
      .map((letter) => ({ letter, at: draw() }))
      .sort((a, b) => a.at - b.at)
      .map(({ letter }) => letter)
  }

  return {
    ...stripe,
    settings: () => settings,
    changeSettings(change) {
      collect()
      settings = { ...settings, ...change }
      return settings
    },
    listEvents() {
      collect()
      return letters.map(presentEvent).reverse()
    },
    findEvent: (id) => stripe.events.find((event) => event.id === id),
    takeEvents() {
      collect()
      return settings.mode === 'auto' ? handOver(waiting().filter(({ due }) => due <= now().getTime())) : []
    },
    takeWaiting() {
      collect()
      return handOver(waiting())
    },
    async runAt(instant, work) {
      pinned = instant
      try {
        return await stripe.runAt(instant, work)
      } finally {
        pinned = null
      }
    },
    async nextDue() {
      const due = settings.mode === 'auto' ? waiting().map((letter) => letter.due) : []
      const next = await stripe.nextDue()
      const all = next ? [...due, next.getTime()] : due
      return all.length > 0 ? new Date(Math.min(...all)) : null
    },
    sign(event) {
      const signed = stripe.sign(event)
      if (settings.signature === 'valid') return signed
      return { ...signed, signature: settings.signature === 'missing' ? '' : FORGED_SIGNATURE }
    },
    recordDelivery(event, status) {
      const letter = letters.find((one) => one.event.id === event.id)
      letter?.deliveries.push({ at: now(), status })
      if (letter) letter.state = status === 200 ? 'delivered' : 'refused'
      events.publish('webhook', { id: event.id, type: event.type, status })
    },
  }
}

const presentEvent = ({ event, state, deliveries }: QueuedEvent): PaymentEvent => ({
  id: event.id,
  type: event.type,
  created: formatInstant(new Date(event.created * 1000)),
  state,
  deliveries: deliveries.map(({ at, status }) => ({ at: formatInstant(at), status })),
})
