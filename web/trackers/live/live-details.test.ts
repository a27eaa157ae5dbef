import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createEventParser, type StreamEvent } from '#contracts/lib/sse.ts'
import { NO_POSITIONS } from '#contracts/track/columns.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { pointsOf } from '#web/test/points-of.ts'
import { SAMPLE_AT, sampleDevice } from '#web/trackers/sample-device.ts'
import { devicesQuery, traceQuery } from '#web/trackers/trackers.queries.tsx'
import { applyLive, type LiveState, runChannel } from './use-live.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const streamOf = (pieces: Uint8Array[], ends = true) =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece)
        if (ends) controller.close()
      },
    }),
  )

describe('event stream format', () => {
  test('the parser handles unusual lines as the event stream standard says', async () => {
    expect(
      await collectFailures<[string, string, StreamEvent[]]>(
        [
          ['lines that end with a single carriage return', 'data: a\r\rdata: b', [{ id: null, type: 'message', data: 'a' }]],
          ['a missing space after the colon', 'data:x\n\n', [{ id: null, type: 'message', data: 'x' }]],
          ['two spaces after the colon, of which one is data', 'data:  x\n\n', [{ id: null, type: 'message', data: ' x' }]],
          ['colons in the data', 'data: a:b:c\n\n', [{ id: null, type: 'message', data: 'a:b:c' }]],
          ['a field without a value', 'data\n\n', [{ id: null, type: 'message', data: '' }]],
          ['an unknown field', 'retry: 5\ndata: x\n\n', [{ id: null, type: 'message', data: 'x' }]],
          ['an id without data, which is no event', 'id: 4\n\n', []],
          ['empty lines, which are no events', '\n\n\n\n', []],
        ],
        JSON.stringify,
        ([, text, events]) => {
          expect(createEventParser()(text)).toEqual(events)
        },
      ),
    ).toEqual([])
  })

  test('name and id apply to their own event only', () => {
    expect(createEventParser()('id: 1\nevent: mode\ndata: a\n\ndata: b\n\n')).toEqual([
      { id: '1', type: 'mode', data: 'a' },
      { id: null, type: 'message', data: 'b' },
    ])
  })
})

describe('channel', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  function start(answers: (() => Response | Promise<Response>)[]) {
    const stop = new AbortController()
    const seen = {
      states: [] as LiveState[],
      data: [] as string[],
      waits: [] as number[],
      signals: [] as AbortSignal[],
      after: [] as unknown[],
    }
    const done = runChannel({
      signal: stop.signal,
      async open({ signal, headers }) {
        seen.signals.push(signal)
        seen.after.push(headers?.['Last-Event-ID'])
        const answer = answers.shift()
        return answer ? answer() : new Promise<Response>((_, no) => signal.addEventListener('abort', () => no(signal.reason)))
      },
      onEvent: ({ data }) => void seen.data.push(data),
      onState: (state) => void seen.states.push(state),
      wait: async (ms) => void seen.waits.push(ms),
    })
    return { seen, stop, done }
  }
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

  test('a character split across two chunks is decoded', async () => {
    const whole = bytes('data: Malvín\n\n')
    const cut = whole.indexOf(0xc3) + 1
    const { seen, stop, done } = start([() => streamOf([whole.slice(0, cut), whole.slice(cut)])])
    await pass(10)
    stop.abort()
    await done
    expect(seen.data).toEqual(['Malvín'])
  })

  test('a server that never responds is given up after 40 seconds', async () => {
    const { seen, stop, done } = start([])
    await pass(39_000)
    expect(seen.signals.map(({ aborted }) => aborted)).toEqual([false])
    await pass(2000)
    expect(seen.signals[0]?.aborted).toBe(true)
    expect(seen.states.slice(0, 2)).toEqual(['connecting', 'offline'])
    stop.abort()
    await done
  })

  test('an event without an id keeps the last id', async () => {
    const { seen, stop, done } = start([() => streamOf([bytes('id: 8\ndata: a\n\ndata: b\n\n')])])
    await pass(10)
    stop.abort()
    await done
    expect(seen.after.slice(0, 2)).toEqual([undefined, '8'])
  })

  test('a stopped channel closes the connection and reports nothing more', async () => {
    const { seen, stop, done } = start([() => streamOf([bytes(': open\n\n')], false)])
    await pass(10)
    expect(seen.states.at(-1)).toBe('live')
    stop.abort()
    await pass(60_000)
    await Promise.race([done, Promise.resolve()])
    expect(seen.signals.every(({ aborted }) => aborted)).toBe(true)
    expect(seen.signals).toHaveLength(1)
    expect(seen.states).toEqual(['connecting', 'live'])
  })

  test('a successful connection resets the back-off', async () => {
    const fail = () => Promise.reject(new TypeError('no network'))
    const { seen, stop, done } = start([fail, fail, fail, () => streamOf([bytes('data: a\n\n')]), fail])
    await pass(10)
    stop.abort()
    await done
    expect(seen.waits).toEqual([1000, 2000, 4000, 1000, 2000])
  })
})

describe('effects of events', () => {
  const later = (minutes: number) => new Date(SAMPLE_AT.getTime() + minutes * 60_000).toISOString()
  const trace = traceQuery(1, '2026-03-02T00:00:00Z').queryKey
  const start = () => {
    const queries = new QueryClient()
    queries.setQueryData(devicesQuery().queryKey, [sampleDevice({ id: 1 }), sampleDevice({ id: 2, name: 'Minou' })])
    queries.setQueryData(trace, NO_POSITIONS)
    return queries
  }
  const tell = (queries: QueryClient, type: string, body: object) => applyLive(queries, { id: null, type, data: JSON.stringify(body) })
  const fix = (minutes: number, lat = -34.91) => ({ lat, lng: -56.17, precision: 9, datetime: later(minutes) })
  const status = (parts: object) => ({ ...sampleDevice().tracker_status, ...parts })
  const devices = (queries: QueryClient) => queries.getQueryData(devicesQuery().queryKey) ?? []

  test('a low battery event without a position changes the tracker but not its track', () => {
    const queries = start()
    tell(queries, 'status', { device: 1, tracker_status: status({ battery: 4 }) })
    expect(devices(queries)[0]?.tracker_status.battery).toBe(4)
    expect(pointsOf(queries.getQueryData(trace))).toEqual([])
  })

  test('R-4.9 a deactivated network is shown at once', () => {
    const queries = start()
    tell(queries, 'network', { device: 2, tracker_config: { ...sampleDevice().tracker_config, network_state: 'deactivated' } })
    expect(devices(queries).map(({ tracker_config }) => tracker_config.network_state)).toEqual(['active', 'deactivated'])
  })

  test('an expired link is shown at once, and a status without links changes nothing about them', () => {
    const queries = start()
    const isPublic = () => devices(queries).map(({ is_public }) => is_public)
    tell(queries, 'status', { device: 2, tracker_status: status({}), is_public: true })
    tell(queries, 'status', { device: 2, tracker_status: status({}) })
    expect(isPublic()).toEqual([false, true])
    tell(queries, 'status', { device: 2, tracker_status: status({}), is_public: false })
    expect(isPublic()).toEqual([false, false])
  })

  test('an older position that arrives late does not change the current one', () => {
    const queries = start()
    tell(queries, 'position', { device: 1, tracker_status: status({ last_position: fix(5) }) })
    tell(queries, 'position', { device: 1, tracker_status: status({ last_position: fix(3, -34.95) }) })
    expect(pointsOf(queries.getQueryData(trace))).toMatchObject([{ lat: -34.91 }])
  })

  test('a position event is added to the track, and an older one is not', () => {
    const queries = start()
    tell(queries, 'position', {
      device: 1,
      tracker_status: status({ last_position: fix(1), last_event: { type: 'button', datetime: later(1) } }),
    })
    tell(queries, 'position', {
      device: 1,
      tracker_status: status({ last_position: fix(2), last_event: { type: 'button', datetime: later(1) } }),
    })
    expect(pointsOf(queries.getQueryData(trace))).toMatchObject([{ event: 'button' }, { event: null }])
  })

  test('an event of a tracker that is not cached changes nothing', () => {
    const queries = start()
    tell(queries, 'position', { device: 99, tracker_status: status({ last_position: fix(1) }) })
    expect(devices(queries).map(({ id, tracker_status }) => [id, tracker_status.battery])).toEqual([
      [1, 85],
      [2, 85],
    ])
  })

  test('an event before the list is cached changes nothing', () => {
    const queries = new QueryClient()
    tell(queries, 'position', { device: 1, tracker_status: status({ last_position: fix(1) }) })
    expect(queries.getQueryData(devicesQuery().queryKey)).toBeUndefined()
  })

  test('an alert event changes no tracker', () => {
    const queries = start()
    const before = devices(queries)
    tell(queries, 'alert', { device: 1, type: 'place_leave', place: { id: 1, name: 'Home' }, datetime: later(1) })
    expect(devices(queries)).toBe(before)
  })
})
