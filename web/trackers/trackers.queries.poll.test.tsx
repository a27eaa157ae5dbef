import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { setClientPorts } from '#web/lib/api/api.ts'
import { sampleDevice } from './sample-device.ts'
import { devicesQuery, pollSeconds } from './trackers.queries.tsx'

afterEach(() => vi.restoreAllMocks())

test.each([
  [0.2, 30],
  [3, 30],
  [20, 200],
])('a list that takes %d seconds to read is requested again after %d seconds', async (seconds, pause) => {
  let now = 1000
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  setClientPorts({
    base: 'https://api.test/',
    fetch: async () => {
      now += seconds * 1000
      return new Response(JSON.stringify([sampleDevice({ id: 1 })]))
    },
  })
  await new QueryClient().fetchQuery(devicesQuery())
  expect(pollSeconds()).toBe(pause)
})
