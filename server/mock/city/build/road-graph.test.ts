import { describe, expect, test } from 'vitest'
import type { Position } from '#server/mock/city/city.ts'
import { CITY_BOUNDS } from '#server/mock/city/frame.ts'
import { createRouter } from '#server/mock/city/lookup/routing.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import type { OsmFeature } from './read-tiles.ts'
import { BACKWARD, buildRoadGraph, type Edge, FOOT, FORWARD, pruneDisconnected, roadClass, roadUse } from './road-graph.ts'

/** The unit is about 100 m. */
const spot = (x: number, y: number): Position => [CITY_BOUNDS.west + x / 914, CITY_BOUNDS.south + y / 1112]
const road = (id: number, highway: string, points: [number, number][], more = {}): OsmFeature => {
  return { id, geometry: 'line', tags: { highway, ...more }, lines: [points.map(([x, y]) => spot(x, y))] }
}
const square = [
  road(1, 'residential', [
    [0, 0],
    [1, 0],
    [2, 0],
  ]),
  road(2, 'residential', [
    [2, 0],
    [2, 2],
  ]),
  road(3, 'residential', [
    [2, 2],
    [0, 2],
    [0, 0],
  ]),
]

describe('road graph', () => {
  test('roads are split where they meet and nowhere else', () => {
    const graph = buildRoadGraph([
      ...square,
      road(4, 'residential', [
        [1, 0],
        [1, 1],
      ]),
    ])
    expect(graph.from).toHaveLength(5)
    expect(graph.arcStart).toHaveLength(5 + 1)
    expect(graph.metres.reduce((sum, metres) => sum + metres, 0)).toBeCloseTo(900, -1)
  })

  test('disconnected islands are left out', () => {
    const island = road(5, 'residential', [
      [20, 20],
      [21, 20],
    ])
    expect(buildRoadGraph([...square, island]).from).toHaveLength(3)
  })

  test('a road that vehicles cannot leave again is closed to them', () => {
    const trap = road(
      6,
      'residential',
      [
        [0, 0],
        [-1, 0],
      ],
      { oneway: 'yes' },
    )
    const { bits } = buildRoadGraph([...square, trap])
    expect([...bits].sort()).toEqual([FOOT, ...[1, 2, 3].map(() => FOOT | FORWARD | BACKWARD)])
  })

  test('pedestrians go through a park, vehicles around it', () => {
    const path = road(7, 'footway', [
      [0, 0],
      [2, 2],
    ])
    const graph = buildRoadGraph([...square, path])
    const route = createRouter(graph)
    const [from, to] = [graph.from[3]!, graph.to[3]!]
    expect(route(from, to, 'foot')!.metres).toBeCloseTo(283, -1)
    expect(route(from, to, 'wheels')!.metres).toBeCloseTo(400, -1)
  })

  test('vehicles take the long way round a one-way street', () => {
    const oneway = [{ ...square[0]!, tags: { highway: 'residential', oneway: 'yes' } }, ...square.slice(1)]
    const graph = buildRoadGraph(oneway)
    const route = createRouter(graph)
    const [from, to] = [graph.from[0]!, graph.to[0]!]
    expect(route(from, to, 'wheels')!.metres).toBeCloseTo(200, -1)
    expect(route(to, from, 'wheels')!.metres).toBeCloseTo(600, -1)
    expect(route(to, from, 'foot')!.metres).toBeCloseTo(200, -1)
  })

  test('unconnected points have no route', () => {
    const graph = buildRoadGraph([
      ...square,
      road(8, 'footway', [
        [0, 0],
        [0, -1],
      ]),
    ])
    expect(createRouter(graph)(graph.from[0]!, graph.to[3]!, 'wheels')).toBeNull()
  })
})

const BOTH = FORWARD | BACKWARD

describe('road access', () => {
  test('access follows the kind of road and its restrictions', async () => {
    const rows = [
      ['the ramp of a motor road', { highway: 'trunk_link' }, BOTH],
      ['steps', { highway: 'steps' }, FOOT],
      ['a cycleway', { highway: 'cycleway' }, FOOT],
      ['one that says it is open both ways', { highway: 'primary', oneway: 'no' }, FOOT | BOTH],
      ['a roundabout both ways', { highway: 'tertiary', junction: 'roundabout', oneway: 'no' }, FOOT | BOTH],
      ['a street closed to walkers', { highway: 'secondary', foot: 'no' }, BOTH],
      ['a yard for customers', { highway: 'service', access: 'customers' }, 0],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        ([_, tags, bits]) => expect(roadUse(tags).bits).toBe(bits),
      ),
    ).toEqual([])
  })

  test('driving costs least on avenues', () => {
    const costs = ['primary', 'secondary', 'tertiary', 'residential', 'living_street'].map((highway) => roadUse({ highway }).cost)
    expect(costs).toEqual(costs.toSorted((a, b) => a - b))
    expect(costs[0]).toBe(1)
  })

  test('a ramp counts as the road it leads to', () => {
    expect(['primary_link', 'primary', 'link'].map(roadClass)).toEqual(['primary', 'primary', 'link'])
  })
})

describe('connected roads', () => {
  const edge = (from: number, to: number, bits: number): Edge => ({ from, to, bits, line: [], cost: 1 })
  const prune = (...edges: Edge[]) => pruneDisconnected(edges).map(({ from, to, bits }) => [from, to, bits])

  test('a connected network stays unchanged', () => {
    const ring = [edge(0, 1, FOOT | BOTH), edge(1, 2, FOOT | BOTH), edge(2, 0, FOOT | BOTH)]
    expect(pruneDisconnected(ring)).toEqual(ring)
  })

  test('the smaller of two unconnected parts is removed', () => {
    expect(prune(edge(0, 1, FOOT), edge(1, 2, FOOT), edge(8, 9, FOOT))).toEqual([
      [0, 1, FOOT],
      [1, 2, FOOT],
    ])
  })

  test('a dead end without return is closed to vehicles but open to pedestrians', () => {
    expect(prune(edge(0, 1, FOOT | BOTH), edge(1, 2, FOOT | BOTH), edge(2, 3, FOOT | FORWARD))).toEqual([
      [0, 1, FOOT | BOTH],
      [1, 2, FOOT | BOTH],
      [2, 3, FOOT],
    ])
  })

  test('a ring of one-way streets is connected', () => {
    const ring = [edge(0, 1, FORWARD), edge(1, 2, FORWARD), edge(0, 2, BACKWARD)]
    expect(prune(...ring)).toHaveLength(3)
    expect(prune(edge(0, 1, FORWARD), edge(1, 2, FORWARD), edge(0, 2, FORWARD))).toEqual([])
  })

  test('a network without edges stays empty', () => expect(prune()).toEqual([]))
})
