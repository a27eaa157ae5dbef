import { compareIds } from '#contracts/rules/text.ts'
import { type Instant, millisOrOldest } from '#contracts/rules/time.ts'
import { batteryFraction, type DeviceType } from './tracker.ts'

export type OrderableDevice = { id: number; name: string; tracker_status: { sub_state: string; sub_end_date: Instant | null } }

/**
 * Compares trackers: not activated first, then by end of subscription ascending, open ends last; ties by name, then id. The collation is
 * fixed so that the server and every browser agree on the order.
 */
export const compareDevices = (a: OrderableDevice, b: OrderableDevice): number =>
  rank(a) - rank(b) || compare(end(a), end(b)) || names.compare(a.name, b.name) || compareIds(a.id, b.id)

const names = new Intl.Collator('en')
const rank = ({ tracker_status }: OrderableDevice) => (tracker_status.sub_state === 'not_activated' ? 0 : 1)
const end = ({ tracker_status }: OrderableDevice) =>
  tracker_status.sub_end_date === null ? Number.POSITIVE_INFINITY : millisOrOldest(tracker_status.sub_end_date)

/** Not a subtraction, which would give NaN for two open ends. */
const compare = (a: number, b: number) => Number(a > b) - Number(a < b)

export type SortableDevice = {
  id: number
  name: string
  type: DeviceType
  tracker_status: { battery: number | null; last_event: { datetime: Instant } | null; stationary_since: Instant | null }
}
type Comparator = (a: SortableDevice, b: SortableDevice) => number

export const DEVICE_SORTS = ['battery', 'lastEvent', 'name', 'stationary'] as const
export type DeviceSort = (typeof DEVICE_SORTS)[number]

/** The four sort orders of the trackers list in a user's language; ties by name, then id. */
export const deviceComparators = (locale: string): Record<DeviceSort, Comparator> => {
  const collator = new Intl.Collator(locale, { numeric: true })
  const name: Comparator = (a, b) => collator.compare(a.name, b.name) || compareIds(a.id, b.id)
  const ascending =
    (key: (device: SortableDevice) => number): Comparator =>
    (a, b) =>
      compare(key(a), key(b)) || name(a, b)
  return { battery: ascending(charge), lastEvent: ascending(eventAge), name, stationary: ascending(standingSince) }
}

const LAST = Number.POSITIVE_INFINITY

/** Lowest first, unknown last. */
const charge = ({ type, tracker_status }: SortableDevice) => batteryFraction(type, tracker_status.battery) ?? LAST

/** Newest first; those without a value last. */
const eventAge = ({ tracker_status }: SortableDevice) =>
  tracker_status.last_event ? -millisOrOldest(tracker_status.last_event.datetime) : LAST

/** Longest standstill first; moving trackers last. */
const standingSince = ({ tracker_status }: SortableDevice) =>
  tracker_status.stationary_since ? millisOrOldest(tracker_status.stationary_since) : LAST
