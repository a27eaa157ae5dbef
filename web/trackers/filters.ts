import { foldCase } from '#contracts/rules/reading/text.ts'
import type { Device } from '#contracts/trackers/devices.ts'

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
