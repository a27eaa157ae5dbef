import type { SubState } from '#contracts/rules/subscription.ts'
import type { EventType } from '#contracts/rules/tracking/reporting.ts'
import type { DeviceType, Kind, Operator, TrackerIcon } from '#contracts/rules/tracking/tracker.ts'
import type { Offset } from './moments.ts'
import type { Spot } from './spots.ts'

/** A seeded tracker; everything not listed here follows from its journeys. */
export type DevicePlan = {
  id: number
  name: string
  type: DeviceType
  kind: Kind
  icon?: TrackerIcon
  mode: number
  /** Percent; millivolts for tracker_02; negative when unknown. */
  battery: number
  operator: Operator
  sub: SubState
  /** Days from the anchor to the end of the subscription; undefined when it is open-ended or not begun. */
  endsIn?: number
  price?: string
  /** Where the tracker is at the anchor; undefined when it was never seen. */
  spot?: Spot
  /** Minutes since the tracker came to rest, at the anchor; null while moving. */
  still?: number | null
  seen?: Offset
  added: Offset
  event?: EventType
  board?: string
  tag?: number
  pendingMode?: number
  isLinkedToPro?: boolean
  isCollarActive?: boolean
  isDeactivated?: boolean
}

type Trait = Partial<DevicePlan>

/** The trackers of an account; identifiers and serial numbers are `head` and `maker` followed by the position in the list. */
export type Fleet = { accountId: number; head: string; maker: string; devices: DevicePlan[] }

export const tracker = (
  id: number,
  name: string,
  type: DeviceType,
  kind: Kind,
  mode: number,
  battery: number,
  operator: Operator,
  ...traits: Trait[]
): DevicePlan => Object.assign({ id, name, type, kind, mode, battery, operator, sub: 'active', added: { days: -380 } }, ...traits)

/** An active subscription that ends `endsIn` days after the anchor. */
export const until = (endsIn: number, price = 'eur-12m-once'): Trait => ({ endsIn, price })
export const endedSince = (days: number, price = 'eur-12m-once'): Trait => ({ sub: 'ended', endsIn: -days, price })
export const standing = (spot: Spot, still: number): Trait => ({ spot, still })
export const moving = (spot: Spot): Trait => ({ spot, still: null, event: 'moving' })
