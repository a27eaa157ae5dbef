import { expect, test } from 'vitest'
import { createDelays } from './delays.ts'

async function listDelays(seed: string) {
  const delays: number[] = []
  const { wait } = createDelays(seed, (done, ms) => {
    delays.push(ms)
    done()
  })
  for (let step = 0; step < 200; step++) await wait()
  return delays
}

test('the same seed gives the same delays, another seed gives others', async () => {
  const [first, again, other] = await Promise.all(['7 a test', '7 a test', '8 a test'].map(listDelays))
  expect(again).toEqual(first)
  expect(other).not.toEqual(first)
})

test('about half of all steps are delayed, by 1 to 15 milliseconds', async () => {
  const delays = await listDelays('1')
  expect(delays.length).toBeGreaterThan(70)
  expect(delays.length).toBeLessThan(130)
  expect([Math.min(...delays), Math.max(...delays)]).toEqual([1, 15])
})
