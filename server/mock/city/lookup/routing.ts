import { join } from 'node:path'
import Flatbush from 'flatbush'
import { BACKWARD, FOOT, FORWARD, type GraphColumns } from '#server/mock/city/build/road-graph.ts'
import type { City, RoadUser, Route } from '#server/mock/city/city.ts'
import { readPack } from '#server/mock/city/city-files.ts'
import { fromPlane, toPlane } from '#server/mock/city/frame.ts'

const NO_ARC = 0xffffffff

/** Creates an A* search over the road graph. Its arrays are allocated once; a stamp per search marks the entries that are current. */
export function createRouter(graph: GraphColumns) {
  const { from, to, shape, x, y, metres, bits, cost, arcStart, arcs } = graph
  const nodes = arcStart.length - 1
  const nodeX = new Float32Array(nodes)
  const nodeY = new Float32Array(nodes)
  for (let edge = 0; edge < from.length; edge++) {
    for (const [node, point] of [
      [from[edge]!, shape[edge]!],
      [to[edge]!, shape[edge + 1]! - 1],
    ] as const) {
      nodeX[node] = x[point]!
      nodeY[node] = y[point]!
    }
  }
  const spent = new Float64Array(nodes)
  const arrival = new Uint32Array(nodes)
  const stamps = new Uint32Array(nodes)
  const settled = new Uint32Array(nodes)
  const heap = createHeap()
  let stamp = 0

  const arcHead = (arc: number) => (arc & 1 ? from[arc >> 1]! : to[arc >> 1]!)
  const arcTail = (arc: number) => arcHead(arc ^ 1)
  const isOpen = (arc: number, by: RoadUser) => (bits[arc >> 1]! & (by === 'foot' ? FOOT : arc & 1 ? BACKWARD : FORWARD)) !== 0

  return (start: number, goal: number, by: RoadUser): Route | null => {
    stamp++
    heap.clear()
    visit(start, 0, NO_ARC)
    heap.push(start, 0)
    for (let node = heap.pop(); node !== -1; node = heap.pop()) {
      if (node === goal) return buildRoute(goal)
      if (settled[node] === stamp) continue
      settled[node] = stamp
      for (let at = arcStart[node]!; at < arcStart[node + 1]!; at++) {
        const arc = arcs[at]!
        const next = arcHead(arc)
        const total = spent[node]! + metres[arc >> 1]! * (by === 'foot' ? 1 : cost[arc >> 1]! / 10)
        if (!isOpen(arc, by) || (stamps[next] === stamp && spent[next]! <= total)) continue
        visit(next, total, arc)
        heap.push(next, total + Math.hypot(nodeX[next]! - nodeX[goal]!, nodeY[next]! - nodeY[goal]!))
      }
    }
    return null
  }

  function visit(node: number, total: number, arc: number) {
    stamps[node] = stamp
    spent[node] = total
    arrival[node] = arc
  }

  function buildRoute(goal: number): Route {
    const way: number[] = []
    let node = goal
    while (arrival[node] !== NO_ARC) {
      way.push(arrival[node]!)
      node = arcTail(arrival[node]!)
    }
    const points = [{ ...fromPlane(nodeX[node]!, nodeY[node]!), metres: 0 }]
    let total = 0
    for (const arc of way.reverse()) {
      const edge = arc >> 1
      const [first, last] = [shape[edge]!, shape[edge + 1]! - 1]
      const step = arc & 1 ? -1 : 1
      for (let at = arc & 1 ? last : first; at !== (arc & 1 ? first : last); at += step) {
        total += Math.hypot(x[at + step]! - x[at]!, y[at + step]! - y[at]!)
        points.push({ ...fromPlane(x[at + step]!, y[at + step]!), metres: Math.round(total * 10) / 10 })
      }
    }
    return { points, metres: points.at(-1)!.metres }
  }
}

/** Creates a binary min-heap of small integers. Its arrays are reused after `clear`, so a search allocates nothing. */
export function createHeap() {
  const items: number[] = []
  const keys: number[] = []
  let size = 0

  const place = (at: number, item: number, key: number) => {
    items[at] = item
    keys[at] = key
  }

  return {
    clear() {
      size = 0
    },
    push(item: number, key: number) {
      let at = size++
      while (at > 0) {
        const parent = (at - 1) >> 1
        if (keys[parent]! <= key) break
        place(at, items[parent]!, keys[parent]!)
        at = parent
      }
      place(at, item, key)
    },
    /** Removes and returns the item with the least key; -1 when empty. */
    pop(): number {
      if (size === 0) return -1
      const top = items[0]!
      const item = items[--size]!
      const key = keys[size]!
      let at = 0
      for (let child = 1; child < size; child = 2 * at + 1) {
        if (child + 1 < size && keys[child + 1]! < keys[child]!) child++
        if (keys[child]! >= key) break
        place(at, items[child]!, keys[child]!)
        at = child
      }
      if (size > 0) place(at, item, key)
      return top
    },
  }
}

type SnapPoint = { edge: number; x: number; y: number; distance: number; node: number }

export function openRoads(dir: string): Pick<City, 'route' | 'snap'> {
  const { columns: graph } = readPack<GraphColumns, null>(join(dir, 'roads.bin'))
  const index = Flatbush.from(graph.index.buffer, graph.index.byteOffset)
  const findRoute = createRouter(graph)
  const usable = { foot: FOOT, wheels: FORWARD | BACKWARD }

  /** The nearest point of the network. Flatbush orders edges by their bounding boxes, so more are fetched until none can be nearer. */
  function findNearest(x: number, y: number, by: RoadUser): SnapPoint {
    for (let count = 8; ; count *= 4) {
      const edges = index.neighbors(x, y, count, Number.POSITIVE_INFINITY, (edge) => (graph.bits[edge]! & usable[by]) !== 0)
      const feet = edges.map((edge) => snapToEdge(graph, edge, x, y))
      const best = feet.reduce((a, b) => (b.distance < a.distance ? b : a))
      if (edges.length < count || best.distance <= boxDistance(graph, edges.at(-1)!, x, y)) return best
    }
  }

  return {
    snap(point, by) {
      const { x, y } = toPlane(point)
      const foot = findNearest(x, y, by)
      return fromPlane(foot.x, foot.y)
    },
    route(from, to, by) {
      const [start, end] = [toPlane(from), toPlane(to)]
      return findRoute(findNearest(start.x, start.y, by).node, findNearest(end.x, end.y, by).node, by)
    },
  }
}

/** The point of an edge nearest to x, y, and the closer of the edge's two nodes. */
function snapToEdge({ shape, x: xs, y: ys, from, to }: GraphColumns, edge: number, x: number, y: number): SnapPoint {
  const [start, last] = [shape[edge]!, shape[edge + 1]! - 1]
  const best = { edge, x: 0, y: 0, distance: Number.POSITIVE_INFINITY }
  for (let at = start; at < last; at++) {
    const [dx, dy] = [xs[at + 1]! - xs[at]!, ys[at + 1]! - ys[at]!]
    const along = ((x - xs[at]!) * dx + (y - ys[at]!) * dy) / (dx * dx + dy * dy || 1)
    const share = Math.min(1, Math.max(0, along))
    const [footX, footY] = [xs[at]! + share * dx, ys[at]! + share * dy]
    const distance = Math.hypot(footX - x, footY - y)
    if (distance < best.distance) Object.assign(best, { x: footX, y: footY, distance })
  }
  const toStart = Math.hypot(xs[start]! - best.x, ys[start]! - best.y)
  const toEnd = Math.hypot(xs[last]! - best.x, ys[last]! - best.y)
  return { ...best, node: toStart <= toEnd ? from[edge]! : to[edge]! }
}

function boxDistance({ shape, x: xs, y: ys }: GraphColumns, edge: number, x: number, y: number) {
  const edgeX = xs.subarray(shape[edge]!, shape[edge + 1]!)
  const edgeY = ys.subarray(shape[edge]!, shape[edge + 1]!)
  const dx = Math.max(Math.min(...edgeX) - x, 0, x - Math.max(...edgeX))
  const dy = Math.max(Math.min(...edgeY) - y, 0, y - Math.max(...edgeY))
  return Math.hypot(dx, dy)
}
