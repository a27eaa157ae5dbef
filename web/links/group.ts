import type { OwnedLink } from './links.queries.ts'

export type Group = { device: number; name: string; links: OwnedLink[] }

/** A tracker's id from the address; anything else is no filter. */
export const idOf = (text: string | null) => (/^\d{1,15}$/.test(text ?? '') ? Number(text) : null)

/** The links by tracker, in the order in which each tracker first comes; only those of one when asked. */
export function groupByTracker(links: readonly OwnedLink[], only: number | null): Group[] {
  const groups = new Map<number, Group>()
  for (const link of links) {
    if (only !== null && link.device !== only) continue
    const group = groups.get(link.device) ?? { device: link.device, name: link.device_name, links: [] }
    group.links.push(link)
    groups.set(link.device, group)
  }
  return [...groups.values()]
}
