import type { conflicts as contract, UnlinkRequest } from '#contracts/conflicts.ts'
import { normalizeIdentifier, normalizeSerial } from '#contracts/rules/identifier.ts'
import { writeDevices } from '#server/lib/device-changes.ts'
import { Failure, invalid } from '#server/lib/errors.ts'
import { sha256 } from '#server/lib/secrets.ts'
import type { Handlers } from '#server/lib/serve.ts'
import { acceptPending, addRequest, findByNumbers, freeTracker, hasPendingRequest, isSerialLocked, takeProof } from './store.ts'

const REFERENCE_DIGITS = 6

export const conflicts: Handlers<typeof contract> = {
  /** A lock stands before anything else; a proof of the serial number makes waiting, and an older request, needless. */
  async requestUnlink({ body }, { db, viewer, clock, positions }) {
    const numbers = numbersOf(body)
    const { serial_proof: proof } = body
    return writeDevices(db, async (tx, touch) => {
      const device = await findByNumbers(tx, numbers)
      if (!device) throw new Failure('unknown_tracker')
      const identifier = device.identifier ?? device.serial ?? ''
      if (await isSerialLocked(tx, identifier)) throw new Failure('serial_locked', { remaining_attempts: 0 })
      const now = clock.now()
      if (proof && !(await takeProof(tx, identifier, sha256(proof), now)))
        throw invalid('serial_proof', 'Unknown, used or older than 15 minutes')
      if (!proof && (await hasPendingRequest(tx, identifier))) throw new Failure('request_pending')
      const { id, status } = await addRequest(tx, { ...detailsOf(body), identifier, userId: viewer.userId, createdAt: now })
      if (proof) {
        await acceptPending(tx, identifier)
        await freeTracker(tx, device)
        positions.remove(device.id)
        touch(device)
      }
      return { reference: `UR-${String(id).padStart(REFERENCE_DIGITS, '0')}`, status }
    })
  },
}

function numbersOf({ identifier, serial }: UnlinkRequest) {
  const numbers = {
    ...(identifier !== undefined && { identifier: normalizeIdentifier(identifier) }),
    ...(serial !== undefined && { serial: normalizeSerial(serial) }),
  }
  if (numbers.identifier === null) throw invalid('identifier', 'Must be 8+2 digits')
  if (numbers.serial === null) throw invalid('serial', 'Must be 12 letters and digits')
  return { ...(numbers.identifier && { identifier: numbers.identifier }), ...(numbers.serial && { serial: numbers.serial }) }
}

const detailsOf = (body: UnlinkRequest) => ({
  email: body.email,
  reason: body.reason,
  message: body.message ?? null,
  purchaseDate: body.purchase_date ?? null,
  purchasePlace: body.purchase_place ?? null,
  orderReference: body.order_reference ?? null,
  status: body.serial_proof ? ('accepted' as const) : ('pending' as const),
})
