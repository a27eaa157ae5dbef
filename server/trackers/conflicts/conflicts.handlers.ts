import type { ErrorCode } from '#contracts/lib/errors.ts'
import { formatReference, normalizeIdentifier, normalizeSerial } from '#contracts/rules/reading/text.ts'
import type { conflicts as contract, UnlinkRequest } from '#contracts/trackers/conflicts.ts'
import type { DbReader, LockKey, Tx } from '#db/db.ts'
import { touch, writeDevices } from '#db/device-changes.ts'
import type { DeviceRow } from '#db/scope.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { requireNotLostOrStolen } from '#server/lib/lost-and-stolen.ts'
import { sha256 } from '#server/lib/secrets.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { removeFromOwner } from '#server/trackers/ownership/remove-trackers.ts'
import { hasPendingRequest, insertRequest } from '#server/trackers/ownership/trackers.store.ts'
import { countUnknownSerial, guessSerial, lockGuesses, requireGuesses } from '#server/trackers/serials/guess-serial.ts'
import { findActualSerial, findTrackerByNumbers } from '#server/trackers/serials/numbers.store.ts'
import { consumeProof, readAttempts } from '#server/trackers/serials/serial-checks.store.ts'

export const conflicts: Handlers<typeof contract> = {
  async requestUnlink({ body }, context) {
    const numbers = parseNumbers(body)
    const { accountId } = context.viewer
    const guess = { ...numbers, accountId, now: context.clock.now() }
    const answer = await writeDevices(
      context.db,
      (reader) => findLock(reader, numbers, accountId),
      async (tx) => {
        const device = await findRequestedTracker(tx, guess)
        if ('refused' in device) return device
        touch(tx, device)
        return requestUnlink(tx, context, device, body)
      },
    )
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

type Numbers = { identifier?: string; serial?: string }

const findNumbered = (db: DbReader, { identifier, serial }: Numbers) => findTrackerByNumbers(db, identifier ? { identifier } : { serial })

/** The number under which serial checks and requests are stored. */
const numberOf = ({ identifier, serial }: DeviceRow) => identifier ?? serial ?? ''

/** The request may free the tracker of another account, and counts wrong serials. */
async function findLock(db: DbReader, numbers: Numbers, accountId: number): Promise<LockKey[]> {
  const device = await findNumbered(db, numbers)
  return [...(device ? [`account:${device.accountId}` as const] : []), ...lockGuesses(device ? numberOf(device) : '', accountId)]
}

type Guess = Numbers & { accountId: number; now: Date }
type Refusal = { refused: Extract<ErrorCode, 'unknown_tracker' | 'serial_locked'>; extras?: { remaining_attempts: number } }

const LOCKED: Refusal = { refused: 'serial_locked', extras: { remaining_attempts: 0 } }

/**
 * Finds the tracker of an unlink request. A locked-out account is rejected first, and a wrong serial costs an attempt as in the serial
 * check; otherwise requests could be used to guess it. The attempt must be committed, so a rejection is returned rather than thrown.
 */
async function findRequestedTracker(tx: Tx, { identifier, serial, accountId, now }: Guess): Promise<DeviceRow | Refusal> {
  if (!identifier) await requireGuesses(tx, accountId, now)
  const device = await findNumbered(tx, { ...(identifier && { identifier }), ...(serial && { serial }) })
  if (!device) {
    if (!identifier) await countUnknownSerial(tx, accountId, now)
    return { refused: 'unknown_tracker' }
  }
  const number = numberOf(device)
  if ((await readAttempts(tx, { identifier: number, accountId, now })).remaining === 0) return LOCKED
  if (!identifier || !serial || device.serial === serial) return device
  const { isRight, remaining } = await guessSerial(tx, { identifier: number, accountId, serial, now }, await findActualSerial(tx, device))
  if (isRight) return device
  return remaining === 0 ? LOCKED : { refused: 'unknown_tracker' }
}

/** Saves a request to free a tracker. With a serial proof, this request and pending ones are accepted at once. */
async function requestUnlink(tx: Tx, context: ViewerContext, device: DeviceRow, body: UnlinkRequest) {
  const { viewer, clock } = context
  const identifier = device.identifier ?? device.serial ?? ''
  const now = clock.now()
  const proof = body.serial_proof && { identifier, userId: viewer.userId, proofHash: sha256(body.serial_proof), now }
  if (proof) await requireNotLostOrStolen(tx, device)
  if (proof && !(await consumeProof(tx, proof))) throw invalidField('serial_proof', 'Unknown, used or older than 15 minutes')
  if (!proof && (await hasPendingRequest(tx, identifier))) throw new Failure('request_pending')
  const { id } = await insertRequest(tx, { ...toRequestRow(body), identifier, userId: viewer.userId, createdAt: now })
  if (proof) await removeFromOwner(tx, context, device)
  return { id, status: proof ? ('accepted' as const) : ('pending' as const) }
}

const toRequestRow = (body: UnlinkRequest) => ({
  email: body.email,
  reason: body.reason,
  message: body.message ?? null,
  purchaseDate: body.purchase_date ?? null,
  purchasePlace: body.purchase_place ?? null,
  orderReference: body.order_reference ?? null,
  status: 'pending' as const,
})
