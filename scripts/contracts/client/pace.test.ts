import { expect, test } from 'vitest'
import { createPace } from './pace.ts'

/** A clock that stands still but for whoever waits. */
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

test('no more calls a second than allowed, and none waits that need not', async () => {
  const clock = stillClock()
  const turn = createPace(2, clock)
  const began = []
  for (let call = 0; call < 4; call++) {
    await turn()
    began.push(clock.at())
  }
  expect(began).toEqual([0, 500, 1000, 1500])
  clock.forward(400)
  await turn()
  expect(clock.at()).toBe(2000)
  clock.forward(10_000)
  await turn()
  expect(clock.at()).toBe(12_000)
})
