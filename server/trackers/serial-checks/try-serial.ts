import { SERIAL_ATTEMPTS } from '#contracts/lib/constants.ts'
import type { Tx } from '#db/sqlite/open.ts'
import { sameSecret } from '#server/lib/secrets.ts'
import { remainingOf, saveCheck } from './serial-checks.store.ts'

type Tried = { isRight: boolean; remaining: number }

/**
 * Tries an S/N on a tracker (D-12): a wrong one costs an attempt, a right one gives all back, and when none is left not even the
 * right one is. Question and count are one transaction, which must be kept also when the answer is a refusal.
 */
export async function trySerial(tx: Tx, identifier: string, { serial, actual }: { serial: string; actual: string | null }): Promise<Tried> {
  const before = await remainingOf(tx, identifier)
  if (before === 0) return { isRight: false, remaining: 0 }
  const isRight = actual !== null && sameSecret(serial, actual)
  const remaining = isRight ? SERIAL_ATTEMPTS : before - 1
  await saveCheck(tx, identifier, { remaining })
  return { isRight, remaining }
}
