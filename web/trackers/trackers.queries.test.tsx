import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'
import { setClientPorts } from '#web/lib/api/api.ts'
import { sessionQuery } from '#web/signed-in/user.queries.ts'
import { pointsOf } from '#web/test/points-of.ts'
import { deviceQuery, devicesQuery, traceQuery } from './trackers.queries.tsx'

const ALICE = 'alice@example.com'
let portal: Awaited<ReturnType<typeof startPortal>>
let asked: string[]
const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })

/** Runs the portal's requests against the real server as the given user. */
async function signedIn(email = ALICE) {
  const token = await portal.token(email)
  setClientPorts({
    base: '',
    token: () => token,
    onLeave: () => false,
    fetch: (input, { signal: _, ...init } = {}) => {
      asked.push(String(input))
      return portal.fetch(input, init)
    },
  })
}
const read = async (id: number, from: string, to?: string) => pointsOf(await queries.fetchQuery(traceQuery(id, from, to)))

beforeEach(async () => {
  portal = await startPortal()
  asked = []
  queries.clear()
  await signedIn()
})
afterEach(() => portal[Symbol.asyncDispose]())

describe('R-4.21 trackers of the account', () => {
  test("the trackers are in the server's order, without other devices", async () => {
    const { body } = await portal.call(ALICE, 'GET', '/devices/?type=tracker')
    const devices = await queries.fetchQuery(devicesQuery())
    expect(devices.map(({ id }) => id)).toEqual(body.map(({ id }: { id: number }) => id))
    expect(asked).toEqual(['/devices/?type=tracker'])
  })

  test("a tracker is found in the cached list, and another account's is not", async () => {
    const devices = await queries.fetchQuery(devicesQuery())
    const own = devices[3]
    expect(deviceQuery(own?.id ?? 0).select?.(devices)).toBe(own)
    await signedIn('bruno@example.com')
    const others = await queries.fetchQuery({ ...devicesQuery(), staleTime: 0 })
    expect(deviceQuery(own?.id ?? 0).select?.(others)).toBeUndefined()
  })

  test('an account without trackers gets an empty list', async () => {
    await signedIn('taken@example.com')
    expect(await queries.fetchQuery(devicesQuery())).toEqual([])
  })
})

describe('R-2.59 trace', () => {
  const MONTH = ['2026-02-01T00:00:00Z', '2026-03-02T00:00:00Z'] as const

  test('all pages of a trace are loaded, oldest first and without duplicates', async () => {
    const points = await read(1, ...MONTH)
    const { body } = await portal.call(ALICE, 'GET', `/devices/1/tracker_data/?not_before=${MONTH[0]}&not_after=${MONTH[1]}`)
    expect(points).toHaveLength(body.count)
    expect(asked.length).toBe(Math.ceil(body.count / body.results.length))
    expect(asked.length).toBeGreaterThan(1)
    expect(new Set(points.map(({ id }) => id)).size).toBe(points.length)
    const times = points.map(({ datetime }) => Date.parse(datetime))
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  })

  test('a trace contains only positions between its ends', async () => {
    const [from, to] = ['2026-03-01T06:00:00Z', '2026-03-01T12:00:00Z']
    const times = (await read(1, from, to)).map(({ datetime }) => Date.parse(datetime))
    expect(times.length).toBeGreaterThan(0)
    expect(Math.min(...times)).toBeGreaterThanOrEqual(Date.parse(from))
    expect(Math.max(...times)).toBeLessThanOrEqual(Date.parse(to))
  })

  const page = (id: number, next: string | null) => ({
    count: 2,
    next,
    previous: null,
    results: [{ id, lat: 1, lng: 2, precision: 5, datetime: `2026-03-01T0${id}:00:00Z`, address: null, event: null, battery: null }],
  })
  const answerWith = (nexts: (string | null)[]) =>
    setClientPorts({
      fetch: async (input) => {
        asked.push(String(input))
        return Response.json(page(asked.length, nexts[asked.length - 1] ?? null))
      },
    })
  const PERIOD = 'not_before=2026-03-01T00%3A00%3A00Z'

  test.each([
    ['a cursor', 'https://inner.example/api/devices/1/tracker_data/?cursor=cD0y', 'cursor=cD0y'],
    ['an offset', '/devices/1/tracker_data/?limit=1&offset=1', 'limit=1&offset=1'],
    ['a page', '?page=2', 'page=2'],
  ])('the next page is found by %s', async (_, next, query) => {
    answerWith([next, null])
    expect((await read(1, '2026-03-01T00:00:00Z')).map(({ id }) => id)).toEqual([1, 2])
    expect(asked).toEqual([`/devices/1/tracker_data/?${PERIOD}`, `/devices/1/tracker_data/?${PERIOD}&${query}`])
  })

  test.each([
    ['leads back to itself', ['?page=2', '?page=2'], 2],
    ['has no query', ['/devices/1/tracker_data/'], 1],
  ])('reading ends when the next page %s', async (_, nexts, requests) => {
    answerWith(nexts)
    await read(1, '2026-03-01T00:00:00Z')
    expect(asked).toHaveLength(requests)
  })

  test('a trace without an end reaches up to now', async () => {
    const points = await read(1, '2026-03-02T00:00:00Z')
    expect(asked[0]).not.toContain('not_after')
    expect(points.length).toBeGreaterThan(0)
  })

  test('a trace from before the purchase is empty after one request', async () => {
    expect(await read(1, '2020-01-01T00:00:00Z', '2020-01-02T00:00:00Z')).toEqual([])
    expect(asked).toHaveLength(1)
  })

  test("the trace of another account's tracker is a failure", async () => {
    await signedIn('bruno@example.com')
    await expect(read(1, '2026-03-01T00:00:00Z')).rejects.toMatchObject({ status: 404, code: 'not_found' })
  })
})

test.each([
  [ALICE, 'user', true],
  ['chloe@example.com', 'user', false],
  ['admin@pro.example.com', 'admin', true],
])('%s is a %s whose e-mail confirmation is %s', async (email, role, email_confirmed) => {
  await signedIn(email)
  expect(await queries.fetchQuery(sessionQuery())).toEqual({ role, email_confirmed })
})
