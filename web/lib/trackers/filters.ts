import type { Device } from '#contracts/devices.ts'
import { attentionOf } from './attention.ts'
import { stateOf } from './state.ts'

export type Filter = { kind: 'all' } | { kind: 'moving' } | { kind: 'attention' } | { kind: 'tag'; id: number }

export const ALL: Filter = { kind: 'all' }

export const sameFilter = (a: Filter, b: Filter) => a.kind === b.kind && (a.kind !== 'tag' || b.kind !== 'tag' || a.id === b.id)

export const matches = (device: Device, filter: Filter, now: Date): boolean => {
  if (filter.kind === 'moving') return stateOf(device, now) === 'moving'
  if (filter.kind === 'attention') return attentionOf(device, now).length > 0
  return filter.kind === 'tag' ? device.tag?.id === filter.id : true
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase()

/** Every word somewhere in name, tag, address or printed number, accents and case aside. */
export const found = ({ name, tag, serial, identifier, tracker_status }: Device, query: string) => {
  const text = plain([name, tag?.name, tracker_status.last_address, serial, identifier].join(' '))
  return plain(query)
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** The tags in use, by name. */
export const tagsOf = (devices: readonly Device[]) => {
  const tags = new Map(devices.flatMap(({ tag }) => (tag ? [[tag.id, tag] as const] : [])))
  return [...tags.values()].sort((a, b) => a.name.localeCompare(b.name))
}
