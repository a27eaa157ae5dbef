import type { conflicts as contract, UnlinkRequest } from '#contracts/conflicts.ts'
import type { ErrorCode } from '#contracts/lib/errors.ts'
import { normalizeIdentifier, normalizeSerial } from '#contracts/rules/text.ts'
import type { Tx } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import type { DeviceRow } from '#db/scope.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { formatReference } from '#server/trackers/reference.ts'
import { checkSerial, countRemainingAttempts } from '#server/trackers/serial-checks/serial-checks.store.ts'
import { findTrackerByNumbers } from '#server/trackers/trackers.store.ts'
import { requestUnlink } from './request-unlink.ts'

export const conflicts: Handlers<typeof contract> = {
  async requestUnlink({ body }, context) {
    const numbers = parseNumbers(body)
    const answer = await writeDevices(context.db, 'everything', async (tx, touch) => {
      const device = await findRequestedTracker(tx, numbers)
      if ('refused' in device) return device
      touch(device)
      return requestUnlink(tx, context, device, body)
    })
    if ('refused' in answer) throw new Failure(answer.refused, answer.extras)
    return { reference: formatReference(answer.id), status: answer.status }
  },
}

function parseNumbers({ identifier, serial }: UnlinkRequest) {
  const numbers = {
    ...(identifier !== undefined && { identifier: normalizeIdentifier(identifier) }),
    ...(serial !== undefined && { serial: normalizeSerial(serial) }),
  }
  if (numbers.identifier === null) throw invalidField('identifier', 'Must be 8+2 digits')
  if (numbers.serial === null) throw invalidField('serial', 'Must be 12 letters and digits')
  return { ...(numbers.identifier && { identifier: numbers.identifier }), ...(numbers.serial && { serial: numbers.serial }) }
}

type Refusal = { refused: Extract<ErrorCode, 'unknown_tracker' | 'serial_locked'>; extras?: { remaining_attempts: number } }

const LOCKED: Refusal = { refused: 'serial_locked', extras: { remaining_attempts: 0 } }

/**
 * Finds the tracker of an unlink request. A locked tracker is refused first, and a wrong serial costs an attempt as in the serial check;
 * otherwise requests could be used to guess it. The attempt must be committed, so a refusal is returned rather than thrown.
 */
async function findRequestedTracker(
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
