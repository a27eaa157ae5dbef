import type { TFunction } from 'i18next'
import { compareIds } from '#contracts/rules/text.ts'
import { millisOrOldest } from '#contracts/rules/time.ts'
import { batteryFraction } from '#contracts/rules/tracking/tracker.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { createSearch } from '#web/trackers/filters.ts'
import { lastContact, STATE_GROUPS, type StateGroup, stateGroup } from '#web/trackers/state.ts'
import { addressWords } from '#web/trackers/tracker-words.ts'
import type { Grouping, ListView, Sort, SortKey } from './list-view.ts'

/** What sorting, searching and grouping need besides the trackers. */
export type Surroundings = {
  t: TFunction
  language: string
  now: Date
  placeOf: (device: Device) => string | undefined
  ownerOf: (device: Device) => string | undefined
}

export const countStates = (devices: readonly Device[], now: Date): Record<StateGroup, number> => {
  const counts = { lost: 0, attention: 0, moving: 0, rest: 0, silent: 0, unused: 0 }
  for (const device of devices) counts[stateGroup(device, now)]++
  return counts
}

/** Creates a function that is true for trackers that the view shows. The search also finds the words of states and of owners. */
export function createFilter({ query, states, tags, endsThisMonth }: ListView, { t, now, placeOf, ownerOf }: Surroundings) {
  const matchesQuery = createSearch(query)
  const words = Object.fromEntries(STATE_GROUPS.map((group) => [group, t(`groups.${group}`)])) as Record<StateGroup, string>
  const month = monthOf(now.toISOString())
  return (device: Device) => {
    if (tags.length > 0 && !tags.some((id) => id === device.tag?.id)) return false
    if (endsThisMonth && monthOf(device.tracker_status.sub_end_date) !== month) return false
    const group = stateGroup(device, now)
    if (states.length > 0 && !states.includes(group)) return false
    return query.trim() === '' || matchesQuery(device, [words[group], placeOf(device), ownerOf(device)].filter(Boolean).join(' '))
  }
}

/** The local month of an instant, such as `2026-11`; null without one. */
function monthOf(instant: string | null) {
  const at = instant === null ? null : new Date(instant)
  if (at === null || Number.isNaN(at.getTime())) return null
  return `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}`
}

type Value = string | number | null

const time = (instant: string | null | undefined) => (instant ? millisOrOldest(instant) : null)
const newest = (instant: string | null | undefined) => (instant ? -millisOrOldest(instant) : null)

/** What a key compares: unknown values are null and stand last in both directions. */
const VALUES: Record<SortKey, (device: Device, around: Surroundings) => Value> = {
  name: ({ name }) => name,
  where: (device, { placeOf }) => placeOf(device) ?? addressWords(device),
  state: (device, { now }) => STATE_GROUPS.indexOf(stateGroup(device, now)),
  stationary: ({ tracker_status }) => time(tracker_status.stationary_since),
  age: (device) => newest(lastContact(device)),
  battery: ({ type, tracker_status }) => batteryFraction(type, tracker_status.battery),
  event: ({ tracker_status }) => newest(tracker_status.last_event?.datetime),
  ends: ({ tracker_status }) => time(tracker_status.sub_end_date),
  tag: ({ tag }) => tag?.name ?? null,
  owner: (device, { ownerOf }) => ownerOf(device) ?? null,
}

const collators = new Map<string, Intl.Collator>()
const collatorOf = (language: string) => {
  const known = collators.get(language) ?? new Intl.Collator(language, { numeric: true })
  collators.set(language, known)
  return known
}

function compareValues(a: Value, b: Value, isDescending: boolean, { compare }: Intl.Collator) {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  const order = typeof a === 'string' && typeof b === 'string' ? compare(a, b) : Number(a > b) - Number(a < b)
  return isDescending ? -order : order
}

/**
 * Creates a function that sorts trackers, equal ones by name and id. It starts from its last result, so that after a change of a few
 * trackers one pass over the others is enough.
 */
export function createSorter() {
  let last: readonly Device[] = []
  return (devices: readonly Device[], sort: readonly Sort[], around: Surroundings): readonly Device[] => {
    const rest = new Map(devices.map((device) => [device.id, device]))
    const sorted: Device[] = []
    for (const { id } of last) {
      const device = rest.get(id)
      if (device && rest.delete(id)) sorted.push(device)
    }
    sorted.push(...rest.values())
    const collator = collatorOf(around.language)
    const keys = sort.map(({ key, isDescending }) => ({
      isDescending,
      values: new Map(sorted.map((one) => [one, VALUES[key](one, around)])),
    }))
    last = sorted.sort((a, b) => {
      for (const { values, isDescending } of keys) {
        const order = compareValues(values.get(a) ?? null, values.get(b) ?? null, isDescending, collator)
        if (order !== 0) return order
      }
      return collator.compare(a.name, b.name) || compareIds(a.id, b.id)
    })
    return last
  }
}

/** A row of the list: a tracker, or the head of a group with the number of its trackers; heads have negative ids. */
export type Row = { id: number; device: Device } | { id: number; head: string; count: number }

export const toRows = (devices: readonly Device[]): Row[] => devices.map((device) => ({ id: device.id, device }))

/** The rows of the trackers in groups, each in the given order; those that belong to none come last, under `rest`. */
export function groupRows(
  devices: readonly Device[],
  group: Exclude<Grouping, 'none'>,
  around: Surroundings,
  { formatMonth, rest }: { formatMonth: (instant: string) => string; rest: string },
): Row[] {
  const nameOf: Record<typeof group, (device: Device) => string | null | undefined> = {
    tag: ({ tag }) => tag?.name,
    place: around.placeOf,
    owner: around.ownerOf,
    month: ({ tracker_status }) => monthOf(tracker_status.sub_end_date),
  }
  const groups = new Map<string | null, Device[]>()
  for (const device of devices) {
    const name = nameOf[group](device) ?? null
    const members = groups.get(name)
    if (members) members.push(device)
    else groups.set(name, [device])
  }
  const collator = collatorOf(around.language)
  return [...groups]
    .sort(([a], [b]) => compareValues(a, b, false, collator))
    .flatMap(([name, members], index) => {
      const head = name === null ? rest : group === 'month' ? formatMonth(`${name}-15T12:00:00Z`) : name
      return [{ id: -1 - index, head, count: members.length }, ...toRows(members)]
    })
}
