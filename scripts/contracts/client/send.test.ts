import { expect, test } from 'vitest'
import { createRateLimit } from './send.ts'

function stillClock() {
  let at = 0
  return {
    now: () => new Date(at),
    pause: async (ms: number) => {
      at += ms
    },
    forward: (ms: number) => {
      at += ms
    },
    at: () => at,
  }
}

test('requests are limited to the given rate, and none waits longer than needed', async () => {
  const clock = stillClock()
  const waitForSlot = createRateLimit(2, clock)
  const began = []
  for (let call = 0; call < 4; call++) {
    await waitForSlot()
    began.push(clock.at())
  }
  expect(began).toEqual([0, 500, 1000, 1500])
  clock.forward(400)
  await waitForSlot()
  expect(clock.at()).toBe(2000)
  clock.forward(10_000)
  await waitForSlot()
  expect(clock.at()).toBe(12_000)
})
