import { errors } from '#contracts/lib/errors.ts'
import { DAY_MS } from '#contracts/rules/time.ts'
import { findNextTaskDate } from '#server/billing/records/payment-tasks.store.ts'
import { createPaymentWorker } from '#server/billing/sync/payment-worker.ts'
import { receiveEvent } from '#server/billing/sync/webhook.ts'
import type { Fired } from '#server/jobs/job.ts'
import { nextDue, runDue } from '#server/jobs/run-jobs.ts'
import { Failure } from '#server/lib/errors.ts'
import { listMailsAfter, readNewestMailId } from '#server/mock/events/events.store.ts'
import { isForPortal } from '#server/mock/payments/deliver-events.ts'
import type { Simulator } from '#server/mock/simulator/simulator.ts'
import type { MockStripe } from '#server/mock/stripe/index.ts'
import type { World } from '#server/ports/world.ts'
import { listRenewals } from './worlds.store.ts'

/** Plays the payment provider's events of a world and delivers them to its webhook. */
export function createPaymentPlayer(world: World, stripe: MockStripe) {
  const work = createPaymentWorker()
  const deliver = async (at: World) => {
    for (const event of stripe.takeEvents()) {
      await stripe.sendToEndpoints(event)
      if (!isForPortal(event)) continue
      const { payload, signature } = stripe.sign(event)
      stripe.recordDelivery(event, await webhookStatus(receiveEvent(at, payload, signature)))
    }
  }
  return {
    async nextDue(after: Date) {
      const instants = [await stripe.nextDue(), await findNextTaskDate(world.db.read)].map((due) => due?.getTime() ?? 0)
      const ahead = instants.filter((instant) => instant > after.getTime())
      return ahead.length > 0 ? new Date(Math.min(...ahead)) : null
    },
    async playTo(now: Date) {
      await stripe.runUntil(now)
      const at = { ...world, clock: { now: () => now } }
      await stripe.runAt(now, async () => {
        await stripe.sendRetries()
        await deliver(at)
        await work(at)
        await deliver(at)
      })
    },
  }
}

const webhookStatus = (received: Promise<void>) =>
  received.then(
    () => 200,
    (error) => {
      if (error instanceof Failure) return errors[error.code]
      throw error
    },
  )

/** A mail also has its recipient and its template. */
export type PlayedEvent = Fired & { to?: string; template?: string }

/** What happened while time advanced: the number of positions sent, and jobs, renewals, alerts and mails in order of time. */
export type PlayResult = { positions: number; fired: PlayedEvent[] }

type PlayerOptions = {
  world: World
  simulator: Simulator
  payments: ReturnType<typeof createPaymentPlayer>
  /** Sends what is due to channels. */
  sendToChannels: (until: Date) => Promise<void>
  anchor: Date
  /** Whether everything due at the time of the world has happened. */
  isSettled?: boolean
}

/**
 * Advances a world in order of time: trackers send up to the instant a job is due, then the job sees the world as of that instant. Steps
 * never cross a full day from the anchor, so one jump gives the same result as many.
 */
export function createPlayer({ world, simulator, payments, sendToChannels, anchor, isSettled = false }: PlayerOptions) {
  let played = world.clock.now()
  let hasPlayed = isSettled

  async function playTo(to: Date): Promise<PlayResult> {
    const fired: PlayedEvent[] = []
    const lastMail = await readNewestMailId(world.db.read)
    const unlisten = world.live.subscribe(({ type, deviceId, data }) => {
      if (type === 'alert') fired.push(toFiredAlert(deviceId, data))
    })
    let positions = 0
    let at = played
    try {
      do {
        at = await nextStep(at, to)
        fired.push(...(await findRenewals(played, at)))
        positions += await simulator.runUntil(at)
        await payments.playTo(at)
        fired.push(...(await runDue(world, at)))
        await sendToChannels(at)
        played = at
      } while (at < to)
    } finally {
      unlisten()
    }
    for (const mail of await listMailsAfter(world.db.read, lastMail)) fired.push(toFiredMail(mail))
    return { positions, fired: fired.sort((a, b) => a.at.getTime() - b.at.getTime()) }
  }

  async function findRenewals(after: Date, to: Date) {
    const due = await listRenewals(world.db.read, after, to)
    return due.flatMap(({ id, at }) => (at ? [{ at, kind: 'renewal', ref: `subscriptions/${id}` }] : []))
  }

  async function nextStep(at: Date, to: Date) {
    const day = anchor.getTime() + (Math.floor((at.getTime() - anchor.getTime()) / DAY_MS) + 1) * DAY_MS
    const due = [await nextDue(world, at), await payments.nextDue(at)]
    return new Date(Math.min(to.getTime(), day, ...due.map((instant) => instant?.getTime() ?? day)))
  }

  return async (to: Date): Promise<PlayResult> => {
    if (hasPlayed && to.getTime() === played.getTime()) return { positions: 0, fired: [] }
    if (to < played) played = to
    hasPlayed = true
    return playTo(to)
  }
}

const toFiredMail = ({ id, createdAt, to, template }: Awaited<ReturnType<typeof listMailsAfter>>[number]) => ({
  ...{ at: createdAt, kind: 'mail', ref: `mail/${id}` },
  ...{ to, template },
})

function toFiredAlert(deviceId: number, data: string): Fired {
  const { type, datetime } = JSON.parse(data)
  return { at: new Date(datetime), kind: String(type), ref: `devices/${deviceId}` }
}
