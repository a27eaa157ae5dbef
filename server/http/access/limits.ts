import pLimit from 'p-limit'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import type { Tx } from '#db/db.ts'
import { setTries, triesOf } from '#db/throttle.ts'
import { Failure } from '#server/lib/errors.ts'

export type Limit = { max: number; windowMinutes: number }

/**
 * Counts an attempt; its window starts with the first. Throws `throttled` at `max`. Check and count share a transaction, so simultaneous
 * attempts are counted one by one.
 */
export async function countAttempt(tx: Tx, key: string, { max, windowMinutes }: Limit, now: Date) {
  const tries = await triesOf(tx, key, now)
  const count = tries?.count ?? 0
  if (count >= max) throw new Failure('throttled')
  await setTries(tx, { key, count: count + 1, resetsAt: tries?.resetsAt ?? new Date(now.getTime() + windowMinutes * MINUTE_MS) })
}

/** Limits parallel password hashes, which take 19 MiB and a core each, so that a flood of logins cannot exhaust the machine. */
export const runPasswordWork = pLimit(3)
