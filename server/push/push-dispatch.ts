import { once } from 'node:events'
import { HOUR_MS, MINUTE_MS } from '#contracts/rules/time.ts'
import { count } from '#server/lib/counts.ts'
import { createSender, LIST_LIMIT, STOPPED } from '#server/lib/send-claimed.ts'
import type { Push, PushResult } from '#server/ports/push.ts'
import type { World } from '#server/ports/world.ts'
import { claimPushes, listDuePushes, type PushRow, postponePush, removeBrowser, removePush } from './push.store.ts'

const TICK_MS = 2000
const CONNECTIONS = 20
/** An alert is useless after this time; the push service also receives the remaining time. */
const LIFE_MS = 6 * HOUR_MS
/** Another server sends a notification after this time if its sender was killed. */
const CLAIM_MS = MINUTE_MS
/** Time limit for a push service. */
const SEND_MS = 30_000
const FIRST_PAUSE_MS = 15_000

type PushWorld = Pick<World, 'db' | 'clock' | 'log'> & { push: Push }
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
export function createPushDispatcher({ db, clock, log, push: service }: PushWorld) {
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
        const result = await sendPush(service, due, { now: at, signal })
        if (result !== STOPPED) count(db, 'pushes_total', { outcome: result })
        if (result !== 'sent') log.warn({ push: due.push.id, result, attempts: due.push.attempts }, 'a notification was not sent')
        return { due, at, result }
      },
      record: (results) =>
        db.write([], async (tx) => {
          for (const { due, at, result } of results) {
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

async function sendPush(service: Push, { push, browser }: Due, { now, signal }: { now: Date; signal: AbortSignal }) {
  const { title, body, url, isUrgent, createdAt } = push
  const leftMs = createdAt.getTime() + LIFE_MS - now.getTime()
  if (leftMs <= 0) return 'expired'
  const payload = JSON.stringify({ title, body, url })
  const message = { target: browser, payload, now, secondsToLive: Math.ceil(leftMs / 1000), isUrgent }
  const aborted = once(signal, 'abort').then(() => (signal.reason === STOPPED ? STOPPED : 'failed'))
  return Promise.race([service.send(message), aborted])
}
