import type { Device } from '#contracts/devices.ts'
import { tabStorage } from '#web/lib/storage.ts'
import { attentionOf } from './attention.ts'
import { stateOf } from './state.ts'

export type Filter = { kind: 'all' } | { kind: 'moving' } | { kind: 'attention' } | { kind: 'tag'; id: number }

export const ALL: Filter = { kind: 'all' }

export const sameFilter = (a: Filter, b: Filter) => a.kind === b.kind && (a.kind !== 'tag' || b.kind !== 'tag' || a.id === b.id)

/** The filter saved in this tab's session; one of a tag no longer in use is ignored. */
export function rememberedFilter(devices: readonly Device[]): Filter {
  const [kind, id] = (tabStorage.get('trackersFilter') ?? '').split(':')
  if (kind === 'moving' || kind === 'attention') return { kind }
  const tag = kind === 'tag' && devices.find((device) => device.tag?.id === Number(id))?.tag
  return tag ? { kind: 'tag', id: tag.id } : ALL
}

export const rememberFilter = (filter: Filter) => tabStorage.set('trackersFilter', filter.kind === 'tag' ? `tag:${filter.id}` : filter.kind)

export const matches = (device: Device, filter: Filter, now: Date): boolean => {
  if (filter.kind === 'moving') return stateOf(device, now) === 'moving'
  if (filter.kind === 'attention') return attentionOf(device, now).length > 0
  return filter.kind === 'tag' ? device.tag?.id === filter.id : true
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase()

/** True when each word of the query occurs in name, tag, address, printed number or place, ignoring accents and case. */
export const found = ({ name, tag, serial, identifier, tracker_status }: Device, query: string, place = '') => {
  const text = plain([name, tag?.name, tracker_status.last_address, serial, identifier, place].join(' '))
  return plain(query)
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** The tags in use, sorted by name. */
export const tagsOf = (devices: readonly Device[]) => {
  const tags = new Map(devices.flatMap(({ tag }) => (tag ? [[tag.id, tag] as const] : [])))
  return [...tags.values()].sort((a, b) => a.name.localeCompare(b.name))
}
