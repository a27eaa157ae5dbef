import { HOUR_MS, MINUTE_MS } from '#contracts/rules/time.ts'
import { count } from '#server/lib/counts.ts'
import { runPeriodically } from '#server/lib/run-periodically.ts'
import type { Push } from '#server/ports/push.ts'
import type { World } from '#server/ports/world.ts'
import { claimPush, listDuePushes, postponePush, removeBrowser, removePush } from './push.store.ts'

const TICK_MS = 2000
const BATCH = 20
/** News of an alert are no use later; the push service gets the rest of this time too. */
const LIFE_MS = 6 * HOUR_MS
/** Longer than a push service may take to answer. */
const CLAIM_MS = MINUTE_MS
const FIRST_PAUSE_MS = 15_000

type PushWorld = Pick<World, 'db' | 'clock' | 'log'> & { push: Push }
type Due = Awaited<ReturnType<typeof listDuePushes>>[number]

/** Sends the notifications that are due until stopped; `stop` waits for those in progress. */
export const dispatchPushes = (world: PushWorld) =>
  runPeriodically(
    () =>
      sendDuePushes(world).catch((error) => {
        count(world.db, 'job_failures_total', { work: 'push' })
        world.log.error({ err: error }, 'could not send notifications')
      }),
    TICK_MS,
  )

/** Sends what is due by the world's clock; resolves to how many notifications the push services took. */
export async function sendDuePushes(world: PushWorld) {
  const due = await listDuePushes(world.db.read, world.clock.now(), BATCH)
  const results = await Promise.all(due.map((one) => sendPush(world, one)))
  return results.filter((result) => result === 'sent').length
}

async function sendPush({ db, clock, log, push: service }: PushWorld, { push, browser }: Due) {
  const { id, title, body, url, isUrgent, createdAt, attempts } = push
  const now = clock.now()
  if (!(await db.write([], (tx) => claimPush(tx, push, new Date(now.getTime() + CLAIM_MS))))) return undefined
  const leftMs = createdAt.getTime() + LIFE_MS - now.getTime()
  const payload = JSON.stringify({ title, body, url })
  const message = { target: browser, payload, now, secondsToLive: Math.ceil(leftMs / 1000), isUrgent }
  const result = leftMs > 0 ? await service.send(message) : 'refused'
  count(db, 'pushes_total', { outcome: leftMs > 0 ? result : 'expired' })
  const nextAttemptAt = new Date(now.getTime() + FIRST_PAUSE_MS * 2 ** attempts)
  await db.write([], async (tx) => {
    if (result === 'failed') await postponePush(tx, id, nextAttemptAt)
    else if (result === 'gone') await removeBrowser(tx, browser.id)
    else await removePush(tx, id)
  })
  if (result !== 'sent') log.warn({ push: id, result, attempts: attempts + 1 }, 'a notification was not sent')
  return result
}
