import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTestWorld, fix, OWNER, sessionHash } from '#server/tracking/test-world.ts'
import { createLiveStream } from './live-stream.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

test('a client that was away for longer receives a request to reload, and later events', async () => {
  using portal = await createTestWorld()
  const positions = Array.from({ length: 1100 }, (_, index) => index)
  for (const index of positions) await portal.say(0, 0, { positions: [fix(0, -index)] })
  const next = async () => String((await stream.next()).value)
  const stream = createLiveStream({ ...portal.world, viewer: OWNER, session: sessionHash(OWNER), lastEventId: 99 })
  expect(await next()).toMatch(/\n\nid: 1100\nevent: reset\ndata: \{\}\n\n$/)
  await portal.say(0, 1)
  expect(await next()).toMatch(/^id: 1101\nevent: position\n/)
})
