import type { OperatorShipment, SHIPMENT_OUTCOMES } from '#contracts/operator/orders.ts'
import type { DbReader } from '#db/db.ts'
import type { OrderRow } from '#server/billing/records/orders.store.ts'
import { findWithdrawal } from '#server/billing/withdrawals/withdrawals.store.ts'
import { type DeedPorts, findDone } from '#server/deeds/do-deed.ts'
import { Failure } from '#server/lib/errors.ts'
import { normalizeParcel, shipOrder } from './move-order.ts'
import { isPossible } from './order-state.ts'
import { findRefundedInvoice } from './orders.present.ts'
import { findOrderOf } from './orders.store.ts'

type Parcel = { order: string; carrier: string; tracking?: string | undefined }
type Outcome = (typeof SHIPMENT_OUTCOMES)[number]

const REFUSALS = ['not_found', 'wrong_step', 'order_refunded'] as const satisfies readonly (Outcome & Failure['code'])[]

/** Tells what shipping these orders would do; changes nothing. */
export const previewShipments = (db: DbReader, parcels: readonly Parcel[]) => mapOnce(parcels, (parcel) => judge(db, parcel))

/**
 * Ships orders one after the other, each in a transaction of its own, so that one that cannot be shipped stops no other. An order that was
 * shipped with this parcel before is left as it is.
 */
export const shipOrders = (ports: DeedPorts, parcels: readonly Parcel[]) =>
  mapOnce(parcels, async (parcel) => {
    const { repeat, ...others } = ports
    const own = { ...others, ...(repeat && { repeat: { ...repeat, key: `${repeat.key} ${parcel.order}` } }) }
    if (await findDone(own)) return 'shipped'
    const outcome = await judge(ports.db.read, parcel)
    if (outcome !== 'ready') return outcome
    try {
      await shipOrder(own, parcel.order, parcel)
      return 'shipped'
    } catch (error) {
      const refusal = error instanceof Failure && REFUSALS.find((code) => code === error.code)
      if (!refusal) throw error
      return refusal
    }
  })

async function mapOnce(parcels: readonly Parcel[], work: (parcel: Parcel) => Promise<Outcome>): Promise<OperatorShipment[]> {
  const seen = new Set<string>()
  const shipments: OperatorShipment[] = []
  for (const parcel of parcels) {
    const { order, carrier, tracking } = parcel
    const outcome = seen.has(order) ? 'duplicate' : await work(parcel)
    seen.add(order)
    shipments.push({ order, carrier, tracking: normalizeParcel(tracking), outcome })
  }
  return shipments
}

async function judge(db: DbReader, parcel: Parcel): Promise<Outcome> {
  const order = await findOrderOf(db, parcel.order)
  if (!order) return 'not_found'
  if (order.shippedAt && isSameParcel(order, parcel)) return 'already'
  if (!isPossible('ship', order)) return 'wrong_step'
  const isUnpaid = (await findRefundedInvoice(db, order))?.refunded || (await findWithdrawal(db, order.reference))
  return isUnpaid ? 'order_refunded' : 'ready'
}

const isSameParcel = (order: OrderRow, { carrier, tracking }: Parcel) =>
  order.carrier === carrier && order.tracking === normalizeParcel(tracking)
