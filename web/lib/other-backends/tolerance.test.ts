import { afterEach, describe, expect, test, vi } from 'vitest'
import { api } from '#contracts/index.ts'
import { type ClientPorts, createClient } from '#web/lib/api/api.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { sampleDevice } from '#web/trackers/sample-device.ts'
import { getOmitted } from './omitted.ts'

const device = (id: unknown) => ({ ...sampleDevice(), id })
const place = { id: 5, name: 'Den', address: 'x', type: 'home', radius: 100, devices: [], lat: 1, lng: 2 }

/** Clients of a backend that responds with `answers` in turn, and then with the last one. */
function connect(answers: (Response | (() => Response))[], parts: Partial<ClientPorts> = {}) {
  const sent: { url: string; headers: Headers; init: RequestInit }[] = []
  const log = { failure: vi.fn() }
  const ports: ClientPorts = {
    base: 'https://api.test/v1/',
    fetch: async (url, init = {}) => {
      sent.push({ url: String(url), headers: new Headers(init.headers), init })
      const answer = answers[Math.min(sent.length, answers.length) - 1]!
      return typeof answer === 'function' ? answer() : answer
    },
    token: () => 'secret',
    cookies: () => 'xsrf=abc; csrftoken=def',
    log,
    onLeave: () => false,
    ...parts,
  }
  const clients = Object.fromEntries(Object.entries(api).map(([name, contract]) => [name, createClient(contract, () => ports)]))
  return { sent, log, ...(clients as { [K in keyof typeof api]: ReturnType<typeof createClient<(typeof api)[K]>> }) }
}
const json = (body: unknown, status = 200, headers = {}) => new Response(JSON.stringify(body), { status, headers })

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('successes', () => {
  test("a success with a status other than the contract's is read all the same", async () => {
    expect(await connect([json(place, 202)]).places.create({ body: { name: 'Den', address: 'x', type: 'home' } })).toEqual(place)
  })

  test('the object is read again after a change with an empty response', async () => {
    const { places, sent } = connect([new Response(null, { status: 204 }), json({ ...place, name: 'Den' })])
    expect(await places.update({ params: { id: 5 }, body: { name: 'Den' } })).toEqual({ ...place, name: 'Den' })
    expect(sent.map(({ init }) => init.method)).toEqual(['PATCH', 'GET'])
  })

  test('an object that cannot be read again is assumed to be what was sent', async () => {
    const { places } = connect([new Response(null, { status: 204 }), json({}, 404)])
    expect(await places.update({ params: { id: 5 }, body: { name: 'Den', lat: 1, lng: 2 } })).toMatchObject({ id: 5, name: 'Den', lat: 1 })
  })

  test('a removal with an empty response is a success', async () => {
    const { places } = connect([new Response(null, { status: 204 })])
    expect(await places.remove({ params: { id: 5 } })).toEqual({ id: 5, deleted_alerts: [] })
  })

  test('requests are sent in the form of the contract', async () => {
    const { places, sent } = connect([json({ ...place, radius: '100.0' })])
    await places.update({ params: { id: 5 }, body: { radius: 100 } })
    expect(sent[0]?.init.body).toBe('{"radius":100}')
  })
})

describe('lists', () => {
  test('a list in pages is read to its end, on the origin of the first page', async () => {
    const { devices, sent } = connect([
      json({ results: [device(1)], next: 'http://internal:8000/v1/devices/?page=2' }),
      json({ results: [device(2)], next: '/v1/devices/?page=3' }),
      json({ results: [device(3)], next: null }),
    ])
    expect((await devices.list({ query: {} })).map(({ id }) => id)).toEqual([1, 2, 3])
    expect(sent.map(({ url }) => url)).toEqual([
      'https://api.test/v1/devices/',
      'https://api.test/v1/devices/?page=2',
      'https://api.test/v1/devices/?page=3',
    ])
    expect(sent[2]?.headers.get('authorization')).toBe('Bearer secret')
  })

  test('a page that names itself as the next ends the list', async () => {
    const { devices } = connect([() => json({ results: [device(1)], next: '/v1/devices/?page=2' })])
    expect(await devices.list({ query: {} })).toHaveLength(2)
  })

  test.each([
    ['without the part of the path that a proxy removes', 'http://app:8000/devices/?page=2', 'https://api.test/v1/devices/?page=2'],
    ['with a part of the path that a proxy adds', 'http://app/inner/v1/devices/?page=2', 'https://api.test/v1/devices/?page=2'],
    ['as a path of its own', 'http://app:8000/devices/page/2/', 'https://api.test/v1/devices/page/2/'],
    ['as a query alone', '?page=2', 'https://api.test/v1/devices/?page=2'],
  ])('a next page given as %s is requested below the address of the API', async (_, next, asked) => {
    const { devices, sent } = connect([json({ results: [device(1)], next }), json({ results: [device(2)], next: null })])
    expect(await devices.list({ query: {} })).toHaveLength(2)
    expect(sent[1]?.url).toBe(asked)
  })

  const page = (number: number, next = `/v1/devices/?page=${number + 1}`, count?: number) =>
    json({ count, results: [device(number)], next })

  test('an unreadable page loses its entries, and the list shows how many are missing', async () => {
    const { devices, sent } = connect([page(1, '/v1/devices/?page=2', 3), json({}, 500), page(3, ''), page(1)])
    const list = await devices.list({ query: {} })
    expect([list.map(({ id }) => id), getOmitted(list)]).toEqual([[1, 3], 1])
    expect(sent.map(({ url }) => new URL(url).search)).toEqual(['', '?page=2', '?page=3'])
  })

  test('after two unreadable pages in a row, or without page numbers, the list ends and says so', async () => {
    const numbered = connect([page(1), () => json({}, 500)])
    const list = await numbered.devices.list({ query: {} })
    expect([list.length, getOmitted(list), numbered.sent.length]).toEqual([1, 1, 3])
    const byCursor = connect([page(1, '/v1/devices/?cursor=abc'), () => json({}, 500)])
    expect(await byCursor.devices.list({ query: {} })).toHaveLength(1)
    expect(byCursor.sent).toHaveLength(2)
  })

  test('a list of more than a hundred pages is cut and shows how many entries are missing', async () => {
    let number = 0
    const { devices, sent } = connect([() => page(++number, `/v1/devices/?page=${number + 1}`, 250)])
    const list = await devices.list({ query: {} })
    expect([list.length, getOmitted(list), sent.length]).toEqual([100, 150, 101])
  })

  const many = (from: number, count: number) => Array.from({ length: count }, (_, index) => device(from + index))
  const search = ({ url }: { url: string }) => new URL(url).search

  test.each([
    ['in pages by number', '/v1/devices/?page=2', '?page_size=500&per_page=500&limit=500'],
    ['by limit and offset', '/v1/devices/?limit=10&offset=10', '?limit=500'],
  ])('a long list that is sent %s is requested in larger pages, and read from the first', async (_, next, larger) => {
    const { devices, sent } = connect(
      [
        json({ count: 150, results: many(1, 10), next }),
        json({ count: 150, results: many(1, 100), next: `${next}&at=100` }),
        json({ count: 150, results: many(101, 50), next: null }),
      ],
      { base: 'https://long.test/v1/' },
    )
    const list = await devices.list({ query: {} })
    expect([list.map(({ id }) => id), getOmitted(list)]).toEqual([many(1, 150).map(({ id }) => id), 0])
    expect(sent.map(search)).toEqual(['', larger, `${next.slice('/v1/devices/'.length)}&at=100`])
  })

  test('without a total count, larger pages are requested after the third page', async () => {
    const cursor = (at: number) => json({ results: many(at, 2), next: `/v1/devices/?cursor=${at + 2}` })
    const { devices, sent } = connect([cursor(1), cursor(3), cursor(5), json({ results: many(1, 9), next: null })], {
      base: 'https://cursor.test/v1/',
    })
    expect(await devices.list({ query: {} })).toHaveLength(9)
    expect(sent).toHaveLength(4)
  })

  test('larger pages are requested only once from a backend with a fixed page size', async () => {
    const pages = () => [
      json({ count: 8, results: many(1, 2), next: '/v1/places/?page=2' }),
      json({ count: 8, results: many(1, 2), next: '/v1/places/?page=2' }),
      json({ count: 8, results: many(3, 6), next: null }),
    ]
    const at = { base: 'https://fixed.test/v1/' }
    const [first, again] = [
      connect(pages(), at),
      connect(
        pages().filter((_, index) => index !== 1),
        at,
      ),
    ]
    expect(await first.devices.list({ query: {} })).toHaveLength(8)
    expect(await again.devices.list({ query: {} })).toHaveLength(8)
    expect([first.sent.length, again.sent.length]).toEqual([3, 2])
  })

  test.each([
    [60, [20, 40]],
    [50, []],
  ])('the entries of a list of %d so far are reported while more arrive, each time twice as many: %j', async (count, told) => {
    const parts: number[] = []
    const page = (at: number) =>
      json({ count, results: many(at, Math.min(20, count + 1 - at)), next: at + 20 > count ? null : `/v1/devices/?page=${at + 20}` })
    const { devices } = connect([page(1), page(21), page(41)])
    const onPart = (part: unknown[]) => void parts.push(part.length)
    const list = await devices.list({ query: {} }, { onPart })
    expect([parts, list.length, getOmitted(list)]).toEqual([told, count, 0])
  })

  test('unreadable entries are counted over all pages', async () => {
    const { devices } = connect([json({ results: [device(1), null], next: '/v1/devices/?page=2' }), json([device(2), {}])])
    const list = await devices.list({ query: {} })
    expect([list.length, getOmitted(list)]).toEqual([2, 2])
  })
})

describe('deviations', () => {
  test('each deviation is reported once, by call, field and kind, without its value', async () => {
    const sendBeacon = vi.fn((_url: string, _body: string) => true)
    vi.stubGlobal('navigator', { sendBeacon })
    const { tags, log } = connect([() => json([{ id: 1, name: 4711, color: '#fff' }])], { reportUrl: 'https://reports.test/' })
    await tags.list()
    await tags.list()
    expect(log.failure.mock.calls).toEqual([['The backend differs from the contract', ['GET /tracker_tags/ [].name: text-as-number']]])
    const report = { call: 'GET /tracker_tags/', path: '[].name', habit: 'text-as-number' }
    expect(sendBeacon.mock.calls).toEqual([['https://reports.test/', JSON.stringify({ deviations: [report] })]])
  })
})

describe('a backend that is busy', () => {
  const busy = (status: number, seconds: string) => () => json({}, status, { 'retry-after': seconds })

  test.each([429, 503])('after a %i a read is repeated when the backend allows it', async (status) => {
    vi.useFakeTimers()
    const { tags, sent } = connect([busy(status, '2'), json([])])
    const list = tags.list()
    await vi.advanceTimersByTimeAsync(1900)
    expect(sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(200)
    expect(await list).toEqual([])
  })

  test('a rejected read without a visible pause waits one second, then two', async () => {
    vi.useFakeTimers()
    const { tags, sent } = connect([() => json({}, 429)])
    const list = expect(tags.list()).rejects.toMatchObject({ status: 429 })
    for (const [ms, count] of [
      [900, 1],
      [1000, 2],
      [1000, 2],
      [1000, 3],
    ] as const) {
      await vi.advanceTimersByTimeAsync(ms)
      expect(sent).toHaveLength(count)
    }
    await list
    await expect(connect([() => json({}, 429)]).tags.create({ body: { name: 'x' } })).rejects.toMatchObject({ status: 429 })
  })

  test('a change is not repeated after a 503, which may have made it', async () => {
    const { tags, sent } = connect([busy(503, '0')])
    await expect(tags.create({ body: { name: 'x' } })).rejects.toMatchObject({ status: 503 })
    expect(sent).toHaveLength(1)
  })

  test('a long pause is a failure at once, and so is a third one', async () => {
    await expect(connect([busy(429, '900')]).tags.list()).rejects.toMatchObject({ status: 429, code: 'throttled' })
    const { tags, sent } = connect([busy(429, '0')])
    await expect(tags.list()).rejects.toBeInstanceOf(ApiError)
    expect(sent).toHaveLength(3)
  })
})

describe('other ways in', () => {
  test('scheme, CSRF names and credentials are taken from the configuration', async () => {
    const auth = { scheme: 'Token', csrfCookie: 'xsrf', csrfHeader: 'X-XSRF-TOKEN', credentials: 'include' } as const
    const { tags, sent } = connect([json({ id: 1, name: 'x', color: '#fff' })], { auth })
    await tags.create({ body: { name: 'x' } })
    const [{ headers, init } = { headers: new Headers(), init: {} }] = sent
    expect([headers.get('authorization'), headers.get('x-xsrf-token'), init.credentials]).toEqual(['Token secret', 'abc', 'include'])
  })
})

describe('failures of other frameworks', () => {
  test.each([
    ['{detail}', { detail: 'Not found.' }, {}],
    ['{message}', { message: 'No.' }, {}],
    ['{error}', { error: 'No.' }, {}],
    [
      '{field: […]}',
      { name: ['This field is required.'] },
      { fields: { name: ['This field is required.'] }, words: { name: 'form.missing' } },
    ],
    ['{detail, remaining}', { detail: 'No.', remaining_attempts: 1 }, { extras: { remaining_attempts: 1 } }],
    ['{non_field_errors}', { non_field_errors: ['No.'] }, {}],
    ['nothing', undefined, {}],
  ])('the status of %s decides, and fields are marked', async (_, body, more) => {
    for (const [status, code] of [
      [400, 'validation_error'],
      [422, 'validation_error'],
      [502, 'server_error'],
    ] as const) {
      const refuse = () => new Response(body && JSON.stringify(body), { status })
      const {
        code: read,
        fields,
        words,
        extras,
      } = await connect([refuse])
        .tags.list()
        .catch((error) => error)
      expect({ code: read, fields, words, extras }).toEqual({ fields: {}, words: {}, extras: {}, ...more, code })
    }
  })
})
