import { type Instant, millis } from './instant.ts'

export type Ordered = { id: number; name: string; tracker_status: { sub_state: string; sub_end_date: Instant | null } }

/**
 * Compares trackers: not activated first, then by end of subscription ascending, open ends last; ties by name, then id. The collation is
 * fixed so that the server and every browser agree on the order.
 */
export const byDeviceOrder = (a: Ordered, b: Ordered): number =>
  rank(a) - rank(b) || compare(end(a), end(b)) || names.compare(a.name, b.name) || a.id - b.id

const names = new Intl.Collator('en')
const rank = ({ tracker_status }: Ordered) => (tracker_status.sub_state === 'not_activated' ? 0 : 1)
const end = ({ tracker_status }: Ordered) =>
  tracker_status.sub_end_date === null ? Number.POSITIVE_INFINITY : millis(tracker_status.sub_end_date)

/** Not a subtraction, which would give NaN for two open ends. */
const compare = (a: number, b: number) => Number(a > b) - Number(a < b)
