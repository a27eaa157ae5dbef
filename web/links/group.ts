import type { OwnedLink } from './links.queries.ts'

export type Group = { device: number; name: string; links: OwnedLink[] }

/** Parses the tracker id in the URL; null means no filter. */
export const idOf = (text: string | null) => (/^\d{1,15}$/.test(text ?? '') ? Number(text) : null)

/** Groups links by tracker in order of first appearance; `only` restricts them to one tracker. */
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
