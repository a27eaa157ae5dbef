import type { UnlinkRequest } from '#contracts/trackers/conflicts.ts'
import type { Tx } from '#db/db.ts'
import type { DeviceRow } from '#db/scope.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { sha256 } from '#server/lib/secrets.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { removeFromOwner } from '#server/trackers/ownership/remove-trackers.ts'
import { hasPendingRequest, insertRequest } from '#server/trackers/ownership/trackers.store.ts'
import { requireNotLostOrStolen } from '#server/trackers/serials/lost-and-stolen.ts'
import { consumeProof } from '#server/trackers/serials/serial-checks.store.ts'

/** Saves a request to free a tracker. With a serial proof, this request and pending ones are accepted at once. */
export async function requestUnlink(tx: Tx, context: ViewerContext, device: DeviceRow, body: UnlinkRequest) {
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
