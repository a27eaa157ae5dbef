import { DAY_MS, HOUR_MS } from '#contracts/rules/time.ts'
import type { LockKey, Tx } from '#db/db.ts'
import { readTries, setTries } from '#db/throttle.ts'
import { throttledFor } from '#server/lib/errors.ts'
import { isSameSecret } from '#server/lib/secrets.ts'
import { readAttempts, restoreAttempts, saveAttempts } from './serial-checks.store.ts'

/** Wrong S/N allowed per account in 24 hours, over all trackers; then it has to wait. */
const WRONG_PER_ACCOUNT = 20
/** Wrong S/N per tracker in 24 hours, over all accounts, after which each account waits for an hour between its attempts. */
const WRONG_PER_TRACKER = 12

type Guess = { identifier: string; accountId: number; serial: string; now: Date }
type Outcome = { isRight: boolean; remaining: number }

const accountKey = (accountId: number) => `serials_of:${accountId}`
const trackerKey = (identifier: string) => `serials_at:${identifier}`

/** Locks the counts of wrong S/N of a tracker and of an account. */
export const lockGuesses = (identifier: string, accountId: number): LockKey[] => [
  `serial:${identifier}`,
  `throttle:${accountKey(accountId)}`,
]

/**
 * Checks an S/N: a wrong one costs the account an attempt, a correct one restores its attempts, and without attempts left even the correct
 * one is rejected. Guesses of other accounts never block an account's first attempt. The caller has to commit even after a rejection.
 * Throws `throttled`.
 */
export async function guessSerial(tx: Tx, { identifier, accountId, serial, now }: Guess, actual: string | null): Promise<Outcome> {
  const { remaining: before, lastWrongAt } = await readAttempts(tx, { identifier, accountId, now })
  if (before === 0) return { isRight: false, remaining: 0 }
  await requireGuesses(tx, accountId, now)
  const wrongs = (await readTries(tx, trackerKey(identifier), now))?.count ?? 0
  const waitMs = wrongs >= WRONG_PER_TRACKER && lastWrongAt ? lastWrongAt.getTime() + HOUR_MS - now.getTime() : 0
  if (waitMs > 0) throw throttledFor(waitMs)
  if (actual !== null && isSameSecret(serial, actual)) {
    await restoreAttempts(tx, identifier, accountId)
    return { isRight: true, remaining: before }
  }
  await countWrong(tx, trackerKey(identifier), now)
  await countWrong(tx, accountKey(accountId), now)
  await saveAttempts(tx, identifier, accountId, { remaining: before - 1, lastWrongAt: now })
  return { isRight: false, remaining: before - 1 }
}

/** Throws `throttled` when the account has submitted too many wrong S/N today. */
export async function requireGuesses(tx: Tx, accountId: number, now: Date) {
  const tries = await readTries(tx, accountKey(accountId), now)
  if (tries && tries.count >= WRONG_PER_ACCOUNT) throw throttledFor(tries.resetsAt.getTime() - now.getTime())
}

/** Counts an S/N that belongs to no tracker. */
export const countUnknownSerial = (tx: Tx, accountId: number, now: Date) => countWrong(tx, accountKey(accountId), now)

async function countWrong(tx: Tx, key: string, now: Date) {
  const tries = await readTries(tx, key, now)
  await setTries(tx, { key, count: (tries?.count ?? 0) + 1, resetsAt: tries?.resetsAt ?? new Date(now.getTime() + DAY_MS) })
}
