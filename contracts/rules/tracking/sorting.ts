import { compareIds } from '#contracts/rules/text.ts'
import { type Instant, millisOrOldest } from '#contracts/rules/time.ts'

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
