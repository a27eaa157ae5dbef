import { join } from 'node:path'
import Flatbush from 'flatbush'
import type { GraphColumns } from '#server/mock/city/build/road-graph.ts'
import { BACKWARD, FOOT, FORWARD } from '#server/mock/city/build/road-rules.ts'
import type { City, RoadUser } from '#server/mock/city/city.ts'
import { readPack } from '#server/mock/city/city-files.ts'
import { fromPlane, toPlane } from '#server/mock/city/frame.ts'
import { createRouter } from './routing.ts'

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
