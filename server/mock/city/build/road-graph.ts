import Flatbush from 'flatbush'
import type { Position } from '#server/mock/city/city.ts'
import { toPlane } from '#server/mock/city/frame.ts'
import type { OsmFeature } from './read-tiles.ts'

/**
 * Roads between crossings. Edge `e` runs from node `from[e]` to `to[e]` along the points `shape[e]` up to `shape[e + 1]` of `x`, `y`
 * (metres, `toPlane`). An arc is an edge in one direction: 2e as drawn, 2e + 1 against it; the arcs leaving node `n` are
 * `arcs[arcStart[n]]` up to `arcStart[n + 1]`. `bits` as in road-rules, `cost` in tenths, `index` a Flatbush over the edges.
 */
export type GraphColumns = {
  from: Uint32Array
  to: Uint32Array
  shape: Uint32Array
  x: Float32Array
  y: Float32Array
  metres: Float32Array
  bits: Uint8Array
  cost: Uint8Array
  arcStart: Uint32Array
  arcs: Uint32Array
  index: Uint8Array
}

export type Edge = { from: number; to: number; line: Position[]; bits: number; cost: number }

/** Builds the road graph without unconnected parts: every remaining edge can reach all others open to the same traffic. */
export function buildRoadGraph(features: OsmFeature[]): GraphColumns {
  const roads = features.filter(({ geometry, tags }) => geometry === 'line' && roadUse(tags).bits !== 0)
  return packGraph(pruneDisconnected(splitAtCrossings(roads)))
}

/** Splits roads where they meet: ways that cross share the exact point. */
function splitAtCrossings(roads: OsmFeature[]): Edge[] {
  const visits = new Map<string, number>()
  const lines = roads.flatMap(({ tags, lines }) => lines.map((line) => ({ line, ...roadUse(tags) })))
  for (const { line } of lines) {
    line.forEach((point, index) => {
      const isEnd = index === 0 || index === line.length - 1
      visits.set(String(point), (visits.get(String(point)) ?? 0) + (isEnd ? 2 : 1))
    })
  }
  const nodes = new Map<string, number>()
  const ensureNode = (point: Position) => {
    const known = nodes.get(String(point)) ?? nodes.size
    nodes.set(String(point), known)
    return known
  }
  return lines.flatMap(({ line, bits, cost }) => {
    const cuts = line.flatMap((point, index) => (visits.get(String(point))! > 1 ? [index] : []))
    return cuts.slice(1).map((cut, index) => {
      const part = line.slice(cuts[index]!, cut + 1)
      return { from: ensureNode(part[0]!), to: ensureNode(part.at(-1)!), line: part, bits, cost }
    })
  })
}

function packGraph(edges: Edge[]): GraphColumns {
  const renumbered = new Map<number, number>()
  const node = (old: number) => {
    const fresh = renumbered.get(old) ?? renumbered.size
    renumbered.set(old, fresh)
    return fresh
  }
  const from = Uint32Array.from(edges, (edge) => node(edge.from))
  const to = Uint32Array.from(edges, (edge) => node(edge.to))
  const points = edges.flatMap(({ line }) => line.map(([lng, lat]) => toPlane({ lng, lat })))
  const x = Float32Array.from(points, (point) => point.x)
  const y = Float32Array.from(points, (point) => point.y)
  const shape = new Uint32Array(edges.length + 1)
  edges.forEach(({ line }, edge) => {
    shape[edge + 1] = shape[edge]! + line.length
  })
  const metres = new Float32Array(edges.length)
  const index = new Flatbush(edges.length, 16, Float32Array)
  for (let edge = 0; edge < edges.length; edge++) {
    const [start, end] = [shape[edge]!, shape[edge + 1]!]
    for (let at = start + 1; at < end; at++) metres[edge] = metres[edge]! + Math.hypot(x[at]! - x[at - 1]!, y[at]! - y[at - 1]!)
    const [xs, ys] = [x.subarray(start, end), y.subarray(start, end)]
    index.add(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys))
  }
  index.finish()
  return {
    from,
    to,
    shape,
    x,
    y,
    metres,
    bits: Uint8Array.from(edges, ({ bits }) => bits),
    cost: Uint8Array.from(edges, ({ cost }) => Math.round(cost * 10)),
    ...buildArcs(from, to, renumbered.size),
    index: new Uint8Array(index.data),
  }
}

function buildArcs(from: Uint32Array, to: Uint32Array, nodes: number) {
  const arcStart = new Uint32Array(nodes + 1)
  for (const ends of [from, to]) for (const node of ends) arcStart[node + 1] = arcStart[node + 1]! + 1
  for (let node = 0; node < nodes; node++) arcStart[node + 1] = arcStart[node + 1]! + arcStart[node]!
  const next = arcStart.slice()
  const arcs = new Uint32Array(from.length * 2)
  for (let edge = 0; edge < from.length; edge++) {
    for (const [node, arc] of [
      [from[edge]!, 2 * edge],
      [to[edge]!, 2 * edge + 1],
    ] as const) {
      arcs[next[node]!] = arc
      next[node] = next[node]! + 1
    }
  }
  return { arcStart, arcs }
}

/** Removes from each edge the uses that lead to a disconnected island or into a one-way trap, and drops edges without any use. */
export function pruneDisconnected(edges: Edge[]): Edge[] {
  const walkable = findLargestComponent(edges, FOOT, FOOT)
  const drivable = findLargestComponent(edges, FORWARD, BACKWARD)
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
function findLargestComponent(edges: Edge[], along: number, against: number): Set<number> {
  const forwards = buildAdjacency(edges, along, against)
  const back = buildAdjacency(edges, against, along)
  let best = new Set<number>()
  const seen = new Set<number>()
  for (const start of forwards.keys()) {
    if (seen.has(start)) continue
    const reachable = findReachable(start, forwards)
    const returning = findReachable(start, back)
    const mutual = new Set([...reachable].filter((node) => returning.has(node)))
    for (const node of mutual) seen.add(node)
    if (mutual.size > best.size) best = mutual
    // The city has one large network and many splinters, so nothing larger can remain.
    if (best.size * 2 > forwards.size) break
  }
  return best
}

function buildAdjacency(edges: Edge[], along: number, against: number) {
  const lists = new Map<number, number[]>()
  const add = (from: number, to: number) => lists.set(from, [...(lists.get(from) ?? []), to])
  for (const { from, to, bits } of edges) {
    if (bits & along) add(from, to)
    if (bits & against) add(to, from)
  }
  return lists
}

function findReachable(start: number, lists: Map<number, number[]>): Set<number> {
  const found = new Set([start])
  for (const node of found) for (const next of lists.get(node) ?? []) found.add(next)
  return found
}

/** Bits of who may use an edge: pedestrians, vehicles in the drawn direction, vehicles against it. */
export const FOOT = 1
export const FORWARD = 2
export const BACKWARD = 4

/** Cost of a metre to a driver; avenues are cheaper, as on real trips. Vehicles may not use unlisted kinds. */
const DRIVING_COST: Record<string, number> = {
  trunk: 1,
  primary: 1,
  secondary: 1.1,
  tertiary: 1.2,
  unclassified: 1.4,
  residential: 1.4,
  living_street: 2,
  service: 2,
}
const WALKABLE = new Set(
  'primary secondary tertiary unclassified residential living_street service pedestrian footway path steps cycleway track'.split(' '),
)
const CLOSED_ACCESS = new Set(['no', 'private', 'delivery', 'customers'])

/** `residential_link` and the like count as the road they lead to. */
export const roadClass = (highway: string) => highway.replace(/_link$/, '')

/** Returns who may use a road with these tags (bits), and its cost per metre to a driver. */
export function roadUse(tags: Record<string, string>): { bits: number; cost: number } {
  const kind = roadClass(tags.highway ?? '')
  if (CLOSED_ACCESS.has(tags.access ?? '')) return { bits: 0, cost: 1 }
  const foot = WALKABLE.has(kind) && tags.foot !== 'no' ? FOOT : 0
  return { bits: foot | (kind in DRIVING_COST ? allowedDirections(tags) : 0), cost: DRIVING_COST[kind] ?? 1 }
}

function allowedDirections({ oneway, junction }: Record<string, string>) {
  if (oneway === '-1') return BACKWARD
  if (oneway === 'yes' || (junction === 'roundabout' && oneway !== 'no')) return FORWARD
  return FORWARD | BACKWARD
}
