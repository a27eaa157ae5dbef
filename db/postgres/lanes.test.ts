import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { classifyDbError } from '#db/classify-error.ts'
import { createLane, createLanes, sharesOf } from './lanes.ts'

test.each([
  [1, { long: 1, writes: 1, statement: 1, lock: 1 }],
  [2, { long: 1, writes: 1, statement: 1, lock: 1 }],
  [3, { long: 1, writes: 2, statement: 1, lock: 1 }],
  [10, { long: 5, writes: 8, statement: 3, lock: 2 }],
  [20, { long: 10, writes: 16, statement: 6, lock: 2 }],
])('of %i connections each kind of work gets its share', (connections, shares) => {
  expect(sharesOf(connections)).toEqual(shares)
})

/** Work that ends on request. */
function createWork() {
  const begun: number[] = []
  const ends = new Map<number, () => void>()
  const start = (nth: number) => () => {
    begun.push(nth)
    return new Promise<void>((resolve) => ends.set(nth, resolve))
  }
  return { begun, start, end: (nth: number) => ends.get(nth)!() }
}

test('work beyond the limit of a lane waits, and starts in order', async () => {
  const { begun, start, end } = createWork()
  const lane = createLane(2)
  const all = [1, 2, 3, 4].map((nth) => lane.run(start(nth)))
  expect([begun, lane.waiting()]).toEqual([[1, 2], 2])
  end(2)
  await all[1]
  await setImmediate()
  expect([begun, lane.waiting()]).toEqual([[1, 2, 3], 1])
  for (const nth of [1, 3]) end(nth)
  await Promise.all([all[0], all[2]])
  await setImmediate()
  end(4)
  await all[3]
  expect(lane.isIdle()).toBe(true)
})

test('work that waits too long for its turn fails as for an unavailable database, and its place goes to others', async () => {
  const { begun, start, end } = createWork()
  const lane = createLane(1, 20)
  const first = lane.run(start(1))
  expect(await lane.run(start(2)).catch(classifyDbError)).toBe('unavailable')
  end(1)
  await first
  void lane.run(start(3))
  expect(begun).toEqual([1, 3])
})

test('failed work releases its place, and keys do not wait for each other', async () => {
  const { begun, start, end } = createWork()
  const lanes = createLanes(1)
  await expect(lanes.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  const [first, , last] = ['a', 'b', 'a'].map((key, nth) => lanes.run(key, start(nth)))
  expect([begun, lanes.waiting()]).toEqual([[0, 1], 1])
  end(0)
  await first
  await setImmediate()
  end(2)
  await last
})
