import { parseId } from '#contracts/lib/common.ts'
import { foldCase } from '#contracts/rules/reading/text.ts'
import { DEVICE_SORTS, type DeviceSort, deviceComparators } from '#contracts/rules/tracking/sorting.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { storage, tabStorage } from '#web/lib/storage.ts'
import { attentionReasons, trackerState } from './state.ts'

export type Filter = { kind: 'all' } | { kind: 'moving' } | { kind: 'attention' } | { kind: 'tag'; id: number }

export const NO_FILTER: Filter = { kind: 'all' }

export const isSameFilter = (a: Filter, b: Filter) => a.kind === b.kind && (a.kind !== 'tag' || b.kind !== 'tag' || a.id === b.id)

/** The filter saved in this tab's session; one for a tag no longer in use is ignored. */
export function savedFilter(devices: readonly Device[]): Filter {
  const [, kind, id] = /^(\w*):?(.*)$/.exec(tabStorage.get('trackersFilter') ?? '') ?? []
  if (kind === 'moving' || kind === 'attention') return { kind }
  const tag = kind === 'tag' && devices.find((device) => device.tag?.id === parseId(id))?.tag
  return tag ? { kind: 'tag', id: tag.id } : NO_FILTER
}

export const saveFilter = (filter: Filter) => tabStorage.set('trackersFilter', filter.kind === 'tag' ? `tag:${filter.id}` : filter.kind)

export const matchesFilter = (device: Device, filter: Filter, now: Date): boolean => {
  if (filter.kind === 'moving') return trackerState(device, now) === 'moving'
  if (filter.kind === 'attention') return attentionReasons(device, now).length > 0
  return filter.kind === 'tag' ? device.tag?.id === filter.id : true
}

const texts = new WeakMap<Device, { place: string; text: string }>()

/** The searchable text of a tracker; computed once, because each typed letter searches all trackers. */
function searchText(device: Device, place: string) {
  const known = texts.get(device)
  if (known?.place === place) return known.text
  const { name, tag, serial, identifier, tracker_status } = device
  const text = foldCase([name, tag?.name, tracker_status.last_address, serial, identifier, place].join(' '))
  texts.set(device, { place, text })
  return text
}

/**
 * Creates a function that is true if each word of the query occurs in name, tag, address, printed number or place, ignoring accents and
 * case.
 */
export function createSearch(query: string) {
  const words = foldCase(query).split(/\s+/).filter(Boolean)
  return (device: Device, place = '') => {
    const text = words.length > 0 ? searchText(device, place) : ''
    return words.every((word) => text.includes(word))
  }
}

export const listTags = (devices: readonly Device[]) => {
  const tags = new Map(devices.flatMap(({ tag }) => (tag ? [[tag.id, tag] as const] : [])))
  return [...tags.values()].sort((a, b) => a.name.localeCompare(b.name))
}

/** The saved sort; null when there is none or it is unknown. */
export const savedSort = (): DeviceSort | null => DEVICE_SORTS.find((sort) => sort === storage.get('trackersSort')) ?? null

export const saveSort = (sort: DeviceSort | null) => (sort ? storage.set('trackersSort', sort) : storage.remove('trackersSort'))

/**
 * Creates a function that sorts the trackers; without a sort the server's order stays. It starts from its last result, so that after a
 * change of a few trackers one pass over the others is enough.
 */
export function createSorter() {
  let last: readonly Device[] = []
  return (devices: readonly Device[], sort: DeviceSort | null, language: string): readonly Device[] => {
    if (!sort) return devices
    const rest = new Map(devices.map((device) => [device.id, device]))
    const sorted: Device[] = []
    for (const { id } of last) {
      const device = rest.get(id)
      if (device && rest.delete(id)) sorted.push(device)
    }
    sorted.push(...rest.values())
    last = sorted.sort(deviceComparators(language)[sort])
    return last
  }
}
