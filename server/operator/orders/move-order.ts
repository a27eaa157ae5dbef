import type { OperatorOrderDetails } from '#contracts/operator/orders.ts'
import { normalizeCode } from '#contracts/rules/reading/text.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { LockFinder, Tx } from '#db/db.ts'
import { findAccountOwner } from '#db/people.ts'
import type { OrderRow } from '#server/billing/records/orders.store.ts'
import { findWithdrawal, refundWithdrawn } from '#server/billing/withdrawals/withdrawals.store.ts'
import { type Deed, type DeedPorts, doDeed } from '#server/deeds/do-deed.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { queueMail, recipientColumns } from '#server/outbox/outbox.store.ts'
import { isPossible, type OrderStep, stateOf } from './order-state.ts'
import { findRefundedInvoice, presentDetails } from './orders.present.ts'
import { changeOrder, findItemByNumber, findOrderOf, listSentItems, type OrderChange, restockItems, sendItems } from './orders.store.ts'

type Detail = Deed['detail']
type Work = (tx: Tx, order: OrderRow) => Promise<{ change: OrderChange; detail?: Detail }>

const KINDS = { pick: 'order_picked', ship: 'order_shipped', deliver: 'order_delivered', return: 'order_returned' } as const

const lockOf =
  (reference: string): LockFinder =>
  async (db) => {
    const order = await findOrderOf(db, reference)
    return [`order:${reference}`, ...(order ? [`account:${order.accountId}` as const] : [])]
  }

/** Takes a step with an order. Throws `not_found`, and `wrong_step` with the state of the order when the step is not possible. */
const moveOrder = (ports: DeedPorts, reference: string, step: OrderStep, work: Work): Promise<OperatorOrderDetails> =>
  doDeed(ports, lockOf(reference), async (tx) => {
    const order = await findOrderOf(tx, reference)
    if (!order) throw new Failure('not_found')
    if (!isPossible(step, order)) throw new Failure('wrong_step', { state: stateOf(order) })
    const { change, detail } = await work(tx, order)
    await changeOrder(tx, reference, change)
    const response = await presentDetails(tx, { ...order, ...change })
    return { deed: { kind: KINDS[step], subject: reference, accountId: order.accountId, ...(detail && { detail }) }, response }
  })

/** An order that was paid back, or from which the customer has withdrawn, is not sent. Throws `order_refunded`. */
async function requirePaid(tx: Tx, order: OrderRow) {
  if ((await findRefundedInvoice(tx, order))?.refunded || (await findWithdrawal(tx, order.reference))) throw new Failure('order_refunded')
}

/** Takes items for an order from the stock. Throws `not_in_stock`, or `in_use` for an item that was sent or claimed before. */
export const pickOrder = (ports: DeedPorts, reference: string, numbers: readonly string[]) =>
  moveOrder(ports, reference, 'pick', async (tx, order) => {
    await requirePaid(tx, order)
    const identifiers: string[] = []
    for (const number of numbers) identifiers.push(await findFreeItem(tx, number))
    if (new Set(identifiers).size < identifiers.length) throw invalidField('items', 'The same item twice')
    if (identifiers.length > 0) await sendItems(tx, reference, identifiers)
    return { change: { pickedAt: ports.clock.now() }, detail: { items: identifiers.join(', ') } }
  })

async function findFreeItem(tx: Tx, number: string) {
  const found = await findItemByNumber(tx, normalizeCode(number).toUpperCase())
  if (!found) throw new Failure('not_in_stock', { item: number })
  if (found.item.orderReference !== null || found.accountId !== null || found.item.blockedAt) throw new Failure('in_use', { item: number })
  return found.item.identifier
}

/** The number of a parcel as it is stored. */
export const normalizeParcel = (number: string | undefined) => number?.replace(/\s/g, '').toUpperCase() || null

type Parcel = { carrier: string; tracking?: string | undefined }

/** Mails the owner that their order is on its way. */
export const shipOrder = (ports: DeedPorts, reference: string, { carrier, tracking: number }: Parcel) =>
  moveOrder(ports, reference, 'ship', async (tx, order) => {
    await requirePaid(tx, order)
    const now = ports.clock.now()
    const tracking = normalizeParcel(number)
    const owner = await findAccountOwner(tx, order.accountId)
    if (owner) {
      const contents = order.lines.map(({ label }) => label).join(', ')
      const data = { order: reference, contents, carrier, ...(tracking && { tracking }), datetime: formatInstant(now) }
      await queueMail(tx, { to: owner.email, template: 'order_shipped', ...recipientColumns(owner), data, now })
    }
    const change = { status: 'shipping', carrier, tracking, shippedAt: now, pickedAt: order.pickedAt ?? now } as const
    return { change, detail: { carrier, tracking } }
  })

export const deliverOrder = (ports: DeedPorts, reference: string) =>
  moveOrder(ports, reference, 'deliver', async () => ({ change: { status: 'delivered', deliveredAt: ports.clock.now() } }))

/** Items that no account has get their included months back. Those on an account stay there until their owner removes them. */
export const returnOrder = (ports: DeedPorts, reference: string) =>
  moveOrder(ports, reference, 'return', async (tx, order) => {
    const items = await listSentItems(tx, reference)
    const free = items.filter(({ accountId }) => accountId === null).map(({ identifier }) => identifier)
    await restockItems(tx, reference, free)
    if (await findWithdrawal(tx, reference)) await refundWithdrawn(tx, order, ports.clock.now())
    return { change: { returnedAt: ports.clock.now() }, detail: { items: items.map(({ identifier }) => identifier).join(', ') } }
  })
