import type { OrderState } from '#contracts/operator/orders.ts'
import type { OrderRow } from '#server/billing/records/orders.store.ts'

export function stateOf({ status, pickedAt, returnedAt }: Pick<OrderRow, 'status' | 'pickedAt' | 'returnedAt'>): OrderState {
  if (returnedAt) return 'returned'
  if (status !== 'in_progress') return status
  return pickedAt ? 'picked' : 'to_pick'
}

/** Whether something is sent with an order. One for a subscription alone is delivered from the beginning. */
export const isSent = ({ status, shippedAt, deliveredAt, returnedAt }: OrderRow) =>
  status !== 'delivered' || [shippedAt, deliveredAt, returnedAt].some((at) => at !== null)

export type OrderStep = 'pick' | 'ship' | 'deliver' | 'return'

/** The states in which each step is possible. */
const STEPS: Record<OrderStep, readonly OrderState[]> = {
  pick: ['to_pick'],
  ship: ['to_pick', 'picked'],
  deliver: ['shipping'],
  return: ['shipping', 'delivered'],
}

export const isPossible = (step: OrderStep, order: OrderRow) => STEPS[step].includes(stateOf(order)) && (step !== 'return' || isSent(order))
