import { expect, test } from 'vitest'
import { createTestWorld, NOW } from '#server/tracking/test-world.ts'
import { appendLiveEvent } from './live-log.store.ts'

test('a transaction that runs again publishes the events of its last attempt only', async () => {
  using portal = await createTestWorld()
  let attempt = 0
  await portal.world.db.write('everything', async (tx) => {
    attempt++
    const body = { attempt } as never
    await appendLiveEvent(tx, { device: { id: 1, accountId: 1 }, type: 'status', body, at: NOW })
    if (attempt < 3) throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
  })
  expect(portal.heard.map(({ data }) => JSON.parse(data).attempt)).toEqual([3])
})
