import { expect, test } from 'vitest'
import type { Tx } from '#db/db.ts'
import { createTestWorld, NOW } from '#server/tracking/test-world.ts'
import { appendLiveEvent } from './live-log.store.ts'

const append = (tx: Tx, n: number) =>
  appendLiveEvent(tx, { device: { id: 1, accountId: 1 }, type: 'status', body: { n } as never, at: NOW })

const numbersOf = (events: { data: string }[]) => events.map(({ data }) => JSON.parse(data).n)

test('events are published after the commit, in the order in which the transaction appended them', async () => {
  using portal = await createTestWorld()
  await portal.world.db.write('everything', async (tx) => {
    for (const n of [1, 2, 3]) await append(tx, n)
    expect(portal.heard).toEqual([])
  })
  expect(numbersOf(portal.heard)).toEqual([1, 2, 3])
})

test('the events of a transaction that is rolled back are never published', async () => {
  using portal = await createTestWorld()
  const failing = portal.world.db.write('everything', async (tx) => {
    await append(tx, 1)
    throw new Error('half way')
  })
  await expect(failing).rejects.toThrow('half way')
  await portal.world.db.write('everything', (tx) => append(tx, 2))
  expect(numbersOf(portal.heard)).toEqual([2])
})

test('a listener that has unsubscribed gets no further events, and the others get all', async () => {
  using portal = await createTestWorld()
  const { db } = portal.world
  const early: { data: string }[] = []
  const unsubscribe = db.onEvent((event) => void early.push(event))
  await db.write('everything', (tx) => append(tx, 1))
  unsubscribe()
  await db.write('everything', (tx) => append(tx, 2))
  expect([numbersOf(early), numbersOf(portal.heard)]).toEqual([[1], [1, 2]])
})

test('the events of one world are not published in another', async () => {
  using blue = await createTestWorld()
  using red = await createTestWorld()
  await blue.world.db.write('everything', (tx) => append(tx, 1))
  expect([blue.heard.length, red.heard.length]).toEqual([1, 0])
})
