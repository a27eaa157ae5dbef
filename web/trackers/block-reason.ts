import { currentSubState, subscriptionAction } from '#contracts/rules/subscription.ts'
import { modeLabel } from '#contracts/rules/tracking/mode.ts'
import { parseRole } from '#contracts/rules/user.ts'
import type { Device } from '#contracts/trackers/devices.ts'

export type DialogName = 'share' | 'boost' | 'lost' | 'mode' | 'phones'
type Block = 'readOnly' | 'subscription' | 'deactivated' | 'plane'

/**
 * The reason why an action is not available, or null. The interface disables it, so that it never sends a request the server would reject.
 */
export const blockReason = (action: DialogName, device: Device, role: string, now: Date): Block | null => {
  const { tracker_config: config } = device
  if (parseRole(role) === 'deepsupport') return 'readOnly'
  if (action === 'share' || action === 'phones') return null
  if (subscriptionState(device, now) !== 'active') return 'subscription'
  if (config.network_state === 'deactivated') return 'deactivated'
  return action === 'boost' && modeLabel(config.mode).kind === 'plane' ? 'plane' : null
}

/** True when the subscription is included with the tracker and has not been started yet. */
export const canActivate = (device: Device, role: string, now: Date) => {
  const known = parseRole(role)
  return (known === 'user' || known === 'admin') && nextAction(device, now) === 'activate'
}

/** True when the subscription has ended and the owner can buy a new one. */
export const canRenew = (device: Device, now: Date) => nextAction(device, now) === 'renew'

/** For trackers without a running subscription, where it does not matter whether it renews. */
const nextAction = (device: Device, now: Date) =>
  subscriptionAction({ linked_to_pro: device.linked_to_pro, sub_state: subscriptionState(device, now), is_recurring: false })

const subscriptionState = ({ tracker_status: { sub_state, sub_end_date } }: Device, now: Date) =>
  currentSubState(sub_state, sub_end_date, now)
