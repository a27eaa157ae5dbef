import { expect, test } from 'vitest'
import type { StateGroup } from '#web/trackers/state.ts'
import { createClusters } from './clusters.ts'

const WORLD = { west: -180, south: -85, east: 180, north: 85 }
const point = (id: number, lat: number, lng: number, group: StateGroup = 'rest') => ({ id, lat, lng, group })
const ids = (groups: { members: { id: number }[] }[]) => groups.map(({ members }) => members.map(({ id }) => id)).sort()

test('R-2.58 pins that would overlap are grouped, and distant ones stand alone', () => {
  const find = createClusters([point(1, -34.9, -56.1), point(2, -34.9001, -56.1), point(3, -34.8, -56.2)], 19)
  expect(ids(find(WORLD, 13))).toEqual([[1, 2], [3]])
})

test('a group reports the zoom at which its pins separate', () => {
  const find = createClusters([point(1, -34.9, -56.1), point(2, -34.9005, -56.1)], 19)
  const [group] = find(WORLD, 12)
  expect(group?.opensAt).toBeGreaterThan(12)
  expect(ids(find(WORLD, group?.opensAt ?? 0))).toEqual([[1], [2]])
})

test('pins at the same spot never separate and are listed instead', () => {
  const find = createClusters([point(2, 1, 1), point(1, 1, 1)], 19)
  expect(find(WORLD, 19)).toMatchObject([{ key: 'c1', opensAt: null, members: [{ id: 1 }, { id: 2 }] }])
})

test('only pins within the view are drawn', () => {
  const find = createClusters([point(1, 10, 10), point(2, -40, 100)], 19)
  expect(ids(find({ west: 0, south: 0, east: 20, north: 20 }, 8))).toEqual([[1]])
})

test('a thousand trackers form a few groups that count all of them and name the first twenty', () => {
  const many = Array.from({ length: 1000 }, (_, id) => point(id, -34.9 + (id % 30) * 0.001, -56.2 + Math.floor(id / 30) * 0.001))
  const groups = createClusters(many, 19)(WORLD, 12)
  expect(groups.length).toBeLessThan(60)
  expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(1000)
  for (const { count, members } of groups) expect(members).toHaveLength(Math.min(count, 20))
})

test('groups that would overlap on the screen are merged into one, which opens at the next zoom', () => {
  // At zoom 10 a degree of longitude is 728 pixels.
  const pixels = (x: number) => x / 728
  const row = (...xs: number[]) => xs.map((x, index) => point(index + 1, 0, pixels(x)))
  const find = createClusters(row(0, 36, 59, 85), 19)
  const [group, ...others] = find(WORLD, 10)
  expect(others).toEqual([])
  expect(group).toMatchObject({ key: 'c1', count: 4, opensAt: 11, members: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }] })
  expect(createClusters(row(0, 36, 100, 126), 19)(WORLD, 10)).toHaveLength(2)
})

test('the states of a group are counted at every zoom, also of groups that were merged', () => {
  const groups = ['moving', 'rest', 'attention', 'silent', 'unused'] as const
  const many = Array.from({ length: 500 }, (_, id) => point(id, -34.9 + (id % 25) * 0.002, -56.2 + id * 0.0001, groups[id % 5]))
  const find = createClusters(many, 19)
  for (const zoom of [3, 8, 11, 12, 13, 15, 12, 3]) {
    const sums = { lost: 0, attention: 0, moving: 0, rest: 0, silent: 0, unused: 0 }
    for (const { tally, count } of find(WORLD, zoom)) {
      for (const [group, n] of Object.entries(tally)) sums[group as StateGroup] += n
      expect(Object.values(tally).reduce((sum, n) => sum + n)).toBe(count)
    }
    expect(sums).toEqual({ lost: 0, attention: 100, moving: 100, rest: 100, silent: 100, unused: 100 })
  }
})

test('above fifty trackers groups have one shape', () => {
  const pairs = (count: number) => Array.from({ length: count }, (_, id) => point(id, Math.floor(id / 2), 0))
  const shapes = (count: number) => new Set(createClusters(pairs(count), 19)(WORLD, 12).map(({ hasFaces }) => hasFaces))
  expect([shapes(50), shapes(52)]).toEqual([new Set([true]), new Set([false])])
})
