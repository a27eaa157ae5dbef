import { describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { type Edge, pruneDisconnected } from './road-graph.ts'
import { BACKWARD, FOOT, FORWARD, roadClass, roadUse } from './road-rules.ts'

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
  const kept = (...edges: Edge[]) => pruneDisconnected(edges).map(({ from, to, bits }) => [from, to, bits])

  test('a connected network is kept unchanged', () => {
    const ring = [edge(0, 1, FOOT | BOTH), edge(1, 2, FOOT | BOTH), edge(2, 0, FOOT | BOTH)]
    expect(pruneDisconnected(ring)).toEqual(ring)
  })

  test('of two unconnected parts the larger is kept', () => {
    expect(kept(edge(0, 1, FOOT), edge(1, 2, FOOT), edge(8, 9, FOOT))).toEqual([
      [0, 1, FOOT],
      [1, 2, FOOT],
    ])
  })

  test('a dead end without return is closed to vehicles but open to pedestrians', () => {
    expect(kept(edge(0, 1, FOOT | BOTH), edge(1, 2, FOOT | BOTH), edge(2, 3, FOOT | FORWARD))).toEqual([
      [0, 1, FOOT | BOTH],
      [1, 2, FOOT | BOTH],
      [2, 3, FOOT],
    ])
  })

  test('a ring of one-way streets is connected', () => {
    const ring = [edge(0, 1, FORWARD), edge(1, 2, FORWARD), edge(0, 2, BACKWARD)]
    expect(kept(...ring)).toHaveLength(3)
    expect(kept(edge(0, 1, FORWARD), edge(1, 2, FORWARD), edge(0, 2, FORWARD))).toEqual([])
  })

  test('no edges give no edges', () => expect(kept()).toEqual([]))
})
