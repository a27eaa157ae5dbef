import type { Edge } from './road-graph.ts'
import { BACKWARD, FOOT, FORWARD } from './road-rules.ts'

/** Removes from each edge the uses that lead to a disconnected island or into a one-way trap, and drops edges without any use. */
export function keepConnected(edges: Edge[]): Edge[] {
  const walkable = largest(edges, FOOT, FOOT)
  const drivable = largest(edges, FORWARD, BACKWARD)
  const within = (nodes: Set<number>, { from, to }: Edge) => nodes.has(from) && nodes.has(to)
  return edges
    .map((edge) => {
      const foot = within(walkable, edge) ? edge.bits & FOOT : 0
      const wheels = within(drivable, edge) ? edge.bits & (FORWARD | BACKWARD) : 0
      return { ...edge, bits: foot | wheels }
    })
    .filter(({ bits }) => bits !== 0)
}

/** The largest set of nodes that can all reach each other. `along` and `against` are the bits that allow a direction. */
function largest(edges: Edge[], along: number, against: number): Set<number> {
  const onwards = neighbours(edges, along, against)
  const back = neighbours(edges, against, along)
  let best = new Set<number>()
  const seen = new Set<number>()
  for (const start of onwards.keys()) {
    if (seen.has(start)) continue
    const there = reach(start, onwards)
    const andBack = reach(start, back)
    const both = new Set([...there].filter((node) => andBack.has(node)))
    for (const node of both) seen.add(node)
    if (both.size > best.size) best = both
    // The city has one large network and many splinters, so nothing larger can be left.
    if (best.size * 2 > onwards.size) break
  }
  return best
}

function neighbours(edges: Edge[], along: number, against: number) {
  const lists = new Map<number, number[]>()
  const add = (from: number, to: number) => lists.set(from, [...(lists.get(from) ?? []), to])
  for (const { from, to, bits } of edges) {
    if (bits & along) add(from, to)
    if (bits & against) add(to, from)
  }
  return lists
}

function reach(start: number, lists: Map<number, number[]>): Set<number> {
  const found = new Set([start])
  for (const node of found) for (const next of lists.get(node) ?? []) found.add(next)
  return found
}
