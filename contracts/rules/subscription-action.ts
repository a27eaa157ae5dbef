import { knownSubState } from './sub-state.ts'

export type SubscriptionAction = 'choose' | 'activate' | 'extend' | 'renew' | 'manage' | 'support'

const ACTIONS = { none: 'choose', not_activated: 'activate', active: 'extend', ended: 'renew' } as const

/**
 * What a consumer can do about a tracker's subscription. A tracker linked to a pro account leads to support; a subscription that renews
 * itself is managed, never extended by a purchase.
 */
export const subscriptionAction = (device: { linked_to_pro: boolean; sub_state: string; is_recurring: boolean }): SubscriptionAction => {
  if (device.linked_to_pro) return 'support'
  const action = ACTIONS[knownSubState(device.sub_state)]
  return action === 'extend' && device.is_recurring ? 'manage' : action
}
