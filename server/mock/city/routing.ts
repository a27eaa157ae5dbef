import type { By, Route } from './city.ts'
import { fromPlane } from './frame.ts'
import { createHeap } from './heap.ts'
import type { GraphColumns } from './road-graph.ts'
import { BACKWARD, FOOT, FORWARD } from './road-rules.ts'

const NONE = 0xffffffff

/** Creates an A* search over the road graph. Its arrays are allocated once; a stamp per search marks the entries that are current. */
export function createRouting(graph: GraphColumns) {
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

  const headOf = (arc: number) => (arc & 1 ? from[arc >> 1]! : to[arc >> 1]!)
  const tailOf = (arc: number) => headOf(arc ^ 1)
  const isOpen = (arc: number, by: By) => (bits[arc >> 1]! & (by === 'foot' ? FOOT : arc & 1 ? BACKWARD : FORWARD)) !== 0

  return (start: number, goal: number, by: By): Route | null => {
    stamp++
    heap.clear()
    reach(start, 0, NONE)
    heap.push(start, 0)
    for (let node = heap.pop(); node !== -1; node = heap.pop()) {
      if (node === goal) return trace(goal)
      if (settled[node] === stamp) continue
      settled[node] = stamp
      for (let at = arcStart[node]!; at < arcStart[node + 1]!; at++) {
        const arc = arcs[at]!
        const next = headOf(arc)
        const total = spent[node]! + metres[arc >> 1]! * (by === 'foot' ? 1 : cost[arc >> 1]! / 10)
        if (!isOpen(arc, by) || (stamps[next] === stamp && spent[next]! <= total)) continue
        reach(next, total, arc)
        heap.push(next, total + Math.hypot(nodeX[next]! - nodeX[goal]!, nodeY[next]! - nodeY[goal]!))
      }
    }
    return null
  }

  function reach(node: number, total: number, arc: number) {
    stamps[node] = stamp
    spent[node] = total
    arrival[node] = arc
  }

  /** Builds the polyline that leads to the goal. */
  function trace(goal: number): Route {
    const way: number[] = []
    let node = goal
    while (arrival[node] !== NONE) {
      way.push(arrival[node]!)
      node = tailOf(arrival[node]!)
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
