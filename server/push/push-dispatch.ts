import { once } from 'node:events'
import type { PushPayload } from '#contracts/accounts/push.ts'
import { HOUR_MS, MINUTE_MS } from '#contracts/rules/time.ts'
import { count } from '#server/lib/counts.ts'
import { createSender, LIST_LIMIT, STOPPED } from '#server/lib/send-claimed.ts'
import type { Push, PushResult } from '#server/ports/push.ts'
import type { World } from '#server/ports/world.ts'
import { claimPushes, listDuePushes, type PushRow, postponePush, removeBrowser, removePush, savePushResult } from './push.store.ts'
import { buildPicturePath } from './push-picture.ts'

const TICK_MS = 2000
const CONNECTIONS = 20
/** An alert is useless after this time; the push service also receives the remaining time. */
const LIFE_MS = 6 * HOUR_MS
/** Another server sends a notification after this time if its sender was killed. */
const CLAIM_MS = MINUTE_MS
/** Time limit for a push service. */
const SEND_MS = 30_000
const FIRST_PAUSE_MS = 15_000

type PictureWorld = Pick<World, 'map' | 'secondFactor'>
type PushWorld = Pick<World, 'db' | 'clock' | 'log'> & PictureWorld & { push: Push }
type Due = Awaited<ReturnType<typeof listDuePushes>>[number]
/** If the shutdown aborts the sending of a notification, nothing is saved: it stays claimed, and is sent again. */
type Result = { due: Due; at: Date; result: PushResult | 'expired' | typeof STOPPED }

/** Sends the notifications that are due until stopped; `stop` waits for those in progress. */
export function dispatchPushes(world: PushWorld) {
  const { run, stop } = createPushDispatcher(world)
  const timer = setInterval(() => void run(), TICK_MS)
  return {
    stop() {
      clearInterval(timer)
      return stop()
    },
  }
}

/** `run` sends notifications that are due by the world's clock, and resolves to how many the push services accepted. */
export function createPushDispatcher(world: PushWorld) {
  const { db, clock, log } = world
  return createSender<Due, Result>(
    {
      list: (busy) => listDuePushes(db.read, clock.now(), { busy, limit: LIST_LIMIT }),
      idOf: ({ push }) => push.id,
      isUrgent: ({ push }) => push.isUrgent,
      // A slow push service must not occupy all connections.
      destinationsOf: ({ browser }) => [{ name: new URL(browser.endpoint).origin, most: CONNECTIONS / 2 }],
      async claim(listed) {
        const now = clock.now()
        const ids = listed.map(({ push }) => push.id)
        const claimed = await db.write([], (tx) => claimPushes(tx, ids, { now, until: new Date(now.getTime() + CLAIM_MS) }))
        const byId = new Map(claimed.map((push) => [push.id, push]))
        return listed.flatMap(({ push, browser }) => {
          const row = byId.get(push.id)
          return row ? [{ push: row, browser }] : []
        })
      },
      async send(due, signal) {
        const at = clock.now()
        const result = await sendPush(world, due, { now: at, signal })
        if (result !== STOPPED) count(db, 'pushes_total', { outcome: result })
        if (result !== 'sent') log.warn({ push: due.push.id, result, attempts: due.push.attempts }, 'a notification was not sent')
        return { due, at, result }
      },
      record: (results) =>
        db.write([], async (tx) => {
          for (const { due, at, result } of results) {
            if (result !== 'failed' && result !== STOPPED) await savePushResult(tx, due.push.id, result, at)
            if (result === 'failed') await postponePush(tx, due.push.id, nextTry(due.push, at))
            else if (result === 'gone') await removeBrowser(tx, due.browser.id)
            else if (result !== STOPPED) await removePush(tx, due.push.id)
          }
        }),
      judge: ({ result }) => (result === 'sent' ? 'sent' : 'failed'),
      onError(error) {
        count(db, 'job_failures_total', { work: 'push' })
        log.error({ err: error }, 'could not send notifications')
      },
    },
    { connections: CONNECTIONS, sendMs: SEND_MS },
  )
}

const nextTry = ({ attempts }: PushRow, at: Date) => new Date(at.getTime() + FIRST_PAUSE_MS * 2 ** (attempts - 1))

/** Push services take at least 4096 bytes, of which encryption and padding need some. */
const MAX_PAYLOAD_BYTES = 3072

/** The text for the browser. Buttons and the map are left out if names are too long for them. */
export function buildPayload(push: Pick<PushRow, 'title' | 'body' | 'url' | 'alert'>, world: PictureWorld, now: Date) {
  const { title, body, url } = push
  const plain: PushPayload = { title, body, url }
  if (!push.alert) return JSON.stringify(plain)
  const { spot, ...alert } = push.alert
  const image = spot && buildPicturePath(world, spot, now)
  const full = JSON.stringify({ ...plain, alert, ...(image && { image }) } satisfies PushPayload)
  return Buffer.byteLength(full) > MAX_PAYLOAD_BYTES ? JSON.stringify(plain) : full
}

/** The message for the push service; undefined once it is too late. */
export function buildMessage(world: PictureWorld, { push, browser }: Pick<Due, 'push' | 'browser'>, now: Date) {
  const leftMs = push.createdAt.getTime() + LIFE_MS - now.getTime()
  if (leftMs <= 0) return undefined
  return { target: browser, payload: buildPayload(push, world, now), now, secondsToLive: Math.ceil(leftMs / 1000), isUrgent: push.isUrgent }
}

async function sendPush(world: PushWorld, due: Due, { now, signal }: { now: Date; signal: AbortSignal }) {
  const message = buildMessage(world, due, now)
  if (!message) return 'expired'
  const aborted = once(signal, 'abort').then(() => (signal.reason === STOPPED ? STOPPED : 'failed'))
  return Promise.race([world.push.send(message), aborted])
}
