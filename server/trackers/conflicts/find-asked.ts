import type { ErrorCode } from '#contracts/lib/errors.ts'
import type { DeviceRow } from '#db/scope.ts'
import type { Tx } from '#db/sqlite/open.ts'
import { countRemainingAttempts } from '#server/trackers/serial-checks/serial-checks.store.ts'
import { checkSerial } from '#server/trackers/serial-checks/try-serial.ts'
import { findTrackerByNumbers } from '#server/trackers/trackers.store.ts'

type Refusal = { refused: Extract<ErrorCode, 'unknown_tracker' | 'serial_locked'>; extras?: { remaining_attempts: number } }

const LOCKED: Refusal = { refused: 'serial_locked', extras: { remaining_attempts: 0 } }

/**
 * Finds the tracker of an unlink request. A locked tracker is refused first, and a wrong serial costs an attempt as in the serial check;
 * otherwise requests could be used to guess it. The attempt must be committed, so a refusal is returned rather than thrown.
 */
export async function findRequestedTracker(
  tx: Tx,
  { identifier, serial }: { identifier?: string; serial?: string },
): Promise<DeviceRow | Refusal> {
  const device = await findTrackerByNumbers(tx, identifier ? { identifier } : { serial })
  if (!device) return { refused: 'unknown_tracker' }
  const number = device.identifier ?? device.serial ?? ''
  if ((await countRemainingAttempts(tx, number)) === 0) return LOCKED
  if (!identifier || !serial || device.serial === serial) return device
  const { remaining } = await checkSerial(tx, number, { serial, actual: device.serial })
  return remaining === 0 ? LOCKED : { refused: 'unknown_tracker' }
}
