import { setImmediate as turn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { lookUpInBatches } from './batches.ts'

/** Queries that end when they are told to. */
function createLookup() {
  const queries: { keys: string[]; answer: (known: Record<string, number>) => void; fail: () => void }[] = []
  const find = lookUpInBatches<string, number>(
    (keys) =>
      new Promise((resolve, reject) => {
        queries.push({ keys, answer: (known) => resolve(new Map(Object.entries(known))), fail: () => reject(new Error('lost')) })
      }),
  )
  return { queries, find }
}

test('keys of one turn share a query, and each gets its own value', async () => {
  const { queries, find } = createLookup()
  const values = Promise.all(['a', 'b', 'a', 'c'].map(find))
  await turn()
  queries[0]!.answer({ a: 1, b: 2 })
  expect(await values).toEqual([1, 2, 1, undefined])
  expect(queries.map(({ keys }) => keys)).toEqual([['a', 'b', 'c']])
})

test('keys that arrive while a query runs share the next one, so no answer is older than its question', async () => {
  const { queries, find } = createLookup()
  const first = find('a')
  await turn()
  const later: Promise<number | undefined>[] = []
  for (const key of ['a', 'b']) {
    later.push(find(key))
    await turn()
  }
  expect(queries).toHaveLength(1)
  queries[0]!.answer({ a: 1 })
  expect(await first).toBe(1)
  await expect.poll(() => queries.length).toBe(2)
  queries[1]!.answer({ a: 3, b: 4 })
  expect(await Promise.all(later)).toEqual([3, 4])
})

test('a failed query fails its own keys only', async () => {
  const { queries, find } = createLookup()
  const first = find('a')
  await turn()
  const second = find('a')
  queries[0]!.fail()
  await expect(first).rejects.toThrow('lost')
  await expect.poll(() => queries.length).toBe(2)
  queries[1]!.answer({ a: 1 })
  expect(await second).toBe(1)
  const third = find('a')
  await turn()
  queries[2]!.answer({ a: 2 })
  expect(await third).toBe(2)
})

test('a query that takes long does not delay the next one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { queries, find } = createLookup()
  const slow = find('a')
  await turn()
  const later = find('b')
  await turn()
  expect(queries).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(50)
  queries[1]!.answer({ b: 2 })
  expect(await later).toBe(2)
  queries[0]!.answer({ a: 1 })
  expect(await slow).toBe(1)
  vi.useRealTimers()
})

test('keys with the same name share a value', async () => {
  const asked: object[][] = []
  const find = lookUpInBatches(
    async (keys: { id: number }[]) => {
      asked.push(keys)
      return new Map(keys.map(({ id }) => [id, id * 10]))
    },
    ({ id }) => id,
  )
  expect(await Promise.all([{ id: 1 }, { id: 2 }, { id: 1 }].map(find))).toEqual([10, 20, 10])
  expect(asked).toEqual([[{ id: 1 }, { id: 2 }]])
})
