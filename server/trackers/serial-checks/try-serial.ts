import { SERIAL_ATTEMPTS } from '#contracts/lib/constants.ts'
import type { Tx } from '#db/sqlite/open.ts'
import { sameSecret } from '#server/lib/secrets.ts'
import { countRemainingAttempts, saveSerialCheck } from './serial-checks.store.ts'

type SerialCheckResult = { isRight: boolean; remaining: number }

/**
 * Checks a serial: a wrong one costs an attempt, a right one restores all, and without attempts left even the right one is refused. Check
 * and count share a transaction, which must be committed also after a refusal.
 */
export async function checkSerial(
  tx: Tx,
  identifier: string,
  { serial, actual }: { serial: string; actual: string | null },
): Promise<SerialCheckResult> {
  const before = await countRemainingAttempts(tx, identifier)
  if (before === 0) return { isRight: false, remaining: 0 }
  const isRight = actual !== null && sameSecret(serial, actual)
  const remaining = isRight ? SERIAL_ATTEMPTS : before - 1
  await saveSerialCheck(tx, identifier, { remaining })
  return { isRight, remaining }
}
