import { expect, test } from 'vitest'
import { watchPaymentCalls } from './payment-calls.ts'

function watch(answer: () => Promise<Response>) {
  const logged: string[] = []
  let now = 0
  const add = (_: object, message: string) => void logged.push(message)
  const calls = watchPaymentCalls(answer, { info: add, warn: add }, () => now)
  return { calls, logged, pass: (ms: number) => (now += ms), fail: () => calls.send('https://stripe.test').catch(() => undefined) }
}

test('pauses grow from five seconds to five minutes while Stripe cannot be reached, with one line of log a minute', async () => {
  const { calls, logged, pass, fail } = watch(() => Promise.reject(new TypeError('fetch failed')))
  const pauses: number[] = []
  let minutes = 0
  for (let nth = 0; nth < 9; nth++) {
    await Promise.all([fail(), fail(), fail()])
    let seconds = 0
    for (; calls.isPaused(); seconds++) pass(1000)
    pauses.push(seconds)
    minutes += seconds / 60
  }
  expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300])
  expect(logged.length).toBeLessThanOrEqual(minutes + 1)
})

test('the first answer ends the pause', async () => {
  let isBroken = true
  const { calls, logged } = watch(async () => new Response('{}', { status: isBroken ? 500 : 200 }))
  await calls.send('https://stripe.test')
  expect(calls.isPaused()).toBe(true)
  isBroken = false
  await calls.send('https://stripe.test')
  expect(calls.isPaused()).toBe(false)
  expect(logged).toEqual(['the card provider does not answer', 'the card provider answers again'])
})
