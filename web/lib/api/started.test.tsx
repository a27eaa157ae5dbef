import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fetchStarted, findArrival } from './started.ts'

const network = vi.fn(async () => new Response('from the network'))
const url = new URL('/devices/?type=tracker', location.href).href

beforeEach(() => vi.stubGlobal('fetch', network.mockClear()))
afterEach(() => {
  vi.unstubAllGlobals()
  globalThis.startedRequests = undefined
})

const start = (answer: Promise<Response>, authorization: string | null = 'Bearer a') => {
  answer.catch(() => undefined)
  globalThis.startedRequests = { pathname: location.pathname, requests: [{ url, authorization, answer, arrivedAt: 7 }] }
}
const ask = async (authorization: string) => (await fetchStarted(url, { headers: { authorization } })).text()

test('the response to a request that the page has started is used once', async () => {
  start(Promise.resolve(new Response('started')))
  expect([await ask('Bearer a'), await ask('Bearer a')]).toEqual(['started', 'from the network'])
})

test('a request with another token is sent again', async () => {
  start(Promise.resolve(new Response('started')))
  expect(await ask('Bearer b')).toBe('from the network')
})

test('a started request that got no response is sent again', async () => {
  start(Promise.reject(new TypeError('Failed to fetch')))
  expect(await ask('Bearer a')).toBe('from the network')
})

test('a POST never reuses the response of an early GET', async () => {
  start(Promise.resolve(new Response('started')), null)
  expect(await (await fetchStarted(url, { method: 'POST' })).text()).toBe('from the network')
})

test('requests that the page started at another address are not used', async () => {
  start(Promise.resolve(new Response('started')))
  globalThis.startedRequests!.pathname = '/elsewhere'
  expect(await ask('Bearer a')).toBe('from the network')
})

test('a started response keeps the time of its arrival', async () => {
  start(Promise.resolve(new Response('started')))
  expect(findArrival(await fetchStarted(url, { headers: { authorization: 'Bearer a' } }))).toBe(7)
})

test('a caller that gives up gets no response', async () => {
  start(new Promise(() => undefined))
  const stop = new AbortController()
  const answer = fetchStarted(url, { headers: { authorization: 'Bearer a' }, signal: stop.signal })
  stop.abort()
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
})
