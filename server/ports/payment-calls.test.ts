import { expect, test } from 'vitest'
import { watchPaymentCalls } from './payment-calls.ts'

function watch(answer: () => Promise<Response>) {
  const logged: string[] = []
  let now = 0
  const add = (_: object, message: string) => void logged.push(message)
  const calls = watchPaymentCalls(answer, { info: add, warn: add }, () => now)
  return { calls, logged, pass: (ms: number) => (now += ms), fail: () => calls.send('https://stripe.test').catch(() => undefined) }
}

/** Fails and waits for the end of the pause, until an outage has lasted the given time. Returns the pauses in seconds. */
async function failFor(seconds: number, { calls, pass, fail }: ReturnType<typeof watch>, callSeconds = 0) {
  const pauses: number[] = []
  for (let passed = 0; passed < seconds; ) {
    pass(callSeconds * 1000)
    await Promise.all([fail(), fail(), fail()])
    let pause = 0
    for (; calls.isPaused(); pause++) pass(1000)
    pauses.push(pause)
    passed += callSeconds + pause
  }
  return pauses
}

const unreachable = () => Promise.reject(new TypeError('fetch failed'))

test('pauses grow from five seconds to one minute while Stripe is unreachable, with one log line a minute', async () => {
  const watched = watch(unreachable)
  const pauses = await failFor(3600, watched)
  expect(pauses.slice(0, 8)).toEqual([5, 5, 5, 8, 12, 18, 27, 40])
  expect(new Set(pauses.slice(8))).toEqual(new Set([60]))
  expect(watched.logged.length).toBeLessThanOrEqual(61)
})

test('a pause lasts at most half as long as the outage, even when each call takes ten seconds to fail', async () => {
  const CALL_SECONDS = 10
  let passed = CALL_SECONDS
  for (const pause of await failFor(600, watch(unreachable), CALL_SECONDS)) {
    expect(pause).toBeLessThanOrEqual(Math.max(5, passed / 2))
    passed += pause + CALL_SECONDS
  }
})

test('a rejected key and a web page instead of a response pause the work and are logged as such', async () => {
  for (const [status, type, reason] of [
    [401, 'application/json', 'status 401: STRIPE_SECRET_KEY is refused'],
    [200, 'text/html; charset=utf-8', 'status 200 with a web page: this is not the API of Stripe'],
  ] as const) {
    const logged: object[] = []
    const add = (data: object) => void logged.push(data)
    const answer = async () => new Response('', { status, headers: { 'content-type': type } })
    const calls = watchPaymentCalls(answer, { info: add, warn: add }, () => 0)
    for (let count = 0; count < 3; count++) await calls.send('https://stripe.test')
    expect([calls.isPaused(), logged]).toEqual([true, [{ reason, failures: 1, pause_seconds: 5 }]])
  }
})

test('the first response ends the pause', async () => {
  let isBroken = true
  const { calls, logged } = watch(async () => new Response('{}', { status: isBroken ? 500 : 200 }))
  await calls.send('https://stripe.test')
  expect(calls.isPaused()).toBe(true)
  isBroken = false
  await calls.send('https://stripe.test')
  expect(calls.isPaused()).toBe(false)
  expect(logged).toEqual(['the card provider does not answer', 'the card provider answers again'])
})
