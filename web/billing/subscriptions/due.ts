import { currentSubState } from '#contracts/rules/subscription.ts'
import { DAY_MS, millis } from '#contracts/rules/time.ts'
import type { Device } from '#contracts/trackers/devices.ts'

/** Filters of the trackers by their plans. */
export const DUE_FILTERS = ['soon', 'ended', 'none', 'renews'] as const
export type DueFilter = (typeof DUE_FILTERS)[number]

export const SOON_DAYS = 30

const stateOf = ({ tracker_status: { sub_state, sub_end_date } }: Device, now: Date) => currentSubState(sub_state, sub_end_date, now)

const isSoon = ({ tracker_status: { sub_end_date: end } }: Device, now: Date) =>
  end !== null && millis(end) - now.getTime() < SOON_DAYS * DAY_MS

const MATCHES: Record<DueFilter, (device: Device, now: Date) => boolean> = {
  soon: (device, now) => stateOf(device, now) === 'active' && !device.price?.recurring && isSoon(device, now),
  ended: (device, now) => stateOf(device, now) === 'ended',
  none: (device, now) => ['none', 'not_activated'].includes(stateOf(device, now)),
  renews: (device, now) => stateOf(device, now) === 'active' && Boolean(device.price?.recurring),
}

export const matchesDue = (device: Device, filters: readonly DueFilter[], now: Date) =>
  filters.length === 0 || filters.some((filter) => MATCHES[filter](device, now))

/** The heads of groups besides months. */
export type DueHead = 'inactive' | 'ended' | 'soon' | 'none' | 'open'

/** When the plan of a tracker ends or renews: a head, or an instant in the month. */
function dueOf(device: Device, now: Date): { head: DueHead } | { month: string } {
  const state = stateOf(device, now)
  if (state === 'not_activated') return { head: 'inactive' }
  if (state !== 'active') return { head: state }
  const end = device.tracker_status.sub_end_date
  if (end === null) return { head: 'open' }
  return isSoon(device, now) ? { head: 'soon' } : { month: end.slice(0, 7) }
}

export type DueGroup = { key: string; head: DueHead | null; month: string | null; devices: Device[] }

/** The trackers by when their plans are due, in the order of the first of each group. */
export function groupByDue(devices: readonly Device[], now: Date): DueGroup[] {
  const groups = new Map<string, DueGroup>()
  for (const device of devices) {
    const due = dueOf(device, now)
    const key = 'head' in due ? due.head : due.month
    const group = groups.get(key) ?? { key, head: 'head' in due ? due.head : null, month: 'month' in due ? due.month : null, devices: [] }
    group.devices.push(device)
    groups.set(key, group)
  }
  return [...groups.values()]
}
