import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type LiveState, retryDelayMs, runChannel } from './use-live.ts'

const streamOf = (text: string) => new Response(text)

async function run(answers: (() => Promise<Response>)[]) {
  const stop = new AbortController()
  const seen = { states: [] as LiveState[], events: [] as string[], waits: [] as number[], resumedAfter: [] as (string | undefined)[] }
  await runChannel({
    signal: stop.signal,
    open({ headers }) {
      seen.resumedAfter.push(headers?.['Last-Event-ID'])
      return (answers.shift() ?? (() => Promise.reject(new TypeError())))()
    },
    onEvent: ({ data }) => void seen.events.push(data),
    onState: (state) => void seen.states.push(state),
    async wait(ms) {
      seen.waits.push(ms)
      if (answers.length === 0) stop.abort()
    },
  })
  return seen
}

test('reconnecting waits 1, 2, 4 … 30 seconds', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 20].map(retryDelayMs)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
})

test('a dropped stream is offline, reconnects and resumes after the last event', async () => {
  const seen = await run([
    () => Promise.resolve(streamOf('id: 5\ndata: one\n\n')),
    () => Promise.reject(new TypeError('no network')),
    () => Promise.resolve(streamOf('id: 6\ndata: two\n\n')),
  ])
  expect(seen.events).toEqual(['one', 'two'])
  expect(seen.resumedAfter).toEqual([undefined, '5', '5'])
  expect(seen.states).toEqual(['connecting', 'live', 'offline', 'offline', 'offline', 'offline', 'live', 'offline'])
  expect(seen.waits).toEqual([1000, 2000, 1000])
})

test('a refused or failed connection never throws', async () => {
  const seen = await run([
    () => Promise.resolve(new Response('', { status: 401 })),
    () => Promise.resolve(new Response('', { status: 503 })),
  ])
  expect(seen.states).not.toContain('live')
  expect(seen.waits).toEqual([1000, 2000])
})

afterEach(() => void vi.useRealTimers())

const HEARTBEAT_MS = 15_000

test('a stream without a heartbeat for 40 seconds is reopened, and one with heartbeats is not', async () => {
  vi.useFakeTimers()
  const stop = new AbortController()
  const say: ((text: string) => void)[] = []
  const after: (string | undefined)[] = []
  const running = runChannel({
    signal: stop.signal,
    async open({ headers }) {
      after.push(headers?.['Last-Event-ID'])
      const { readable, writable } = new TransformStream<Uint8Array>()
      const writer = writable.getWriter()
      say.push((text) => void writer.write(new TextEncoder().encode(text)).catch(() => undefined))
      return new Response(readable)
    },
    onEvent: () => undefined,
    onState: () => undefined,
    wait: async () => undefined,
  })
  await vi.advanceTimersByTimeAsync(0)
  say[0]?.('id: 7\ndata: here\n\n')
  for (let beat = 0; beat < 10; beat++) {
    await vi.advanceTimersByTimeAsync(HEARTBEAT_MS)
    say[0]?.(': heartbeat\n\n')
  }
  await vi.advanceTimersByTimeAsync(2 * HEARTBEAT_MS)
  expect(after).toEqual([undefined])
  await vi.advanceTimersByTimeAsync(HEARTBEAT_MS)
  expect(after).toEqual([undefined, '7'])
  stop.abort()
  await running
})

test('a server that accepts the connection but never responds is retried', async () => {
  vi.useFakeTimers()
  const stop = new AbortController()
  let asked = 0
  const running = runChannel({
    signal: stop.signal,
    open: ({ signal }) => {
      asked++
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
    onEvent: () => undefined,
    onState: () => undefined,
    wait: async () => undefined,
  })
  await vi.advanceTimersByTimeAsync(3 * HEARTBEAT_MS)
  expect(asked).toBe(2)
  stop.abort()
  await running
})

const bytes = (text: string) => new TextEncoder().encode(text)
const pieces = (parts: Uint8Array[], ends = true) =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(part)
        if (ends) controller.close()
      },
    }),
  )

describe('a channel that is stopped by its caller', () => {
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
    const { seen, stop, done } = start([() => pieces([whole.slice(0, cut), whole.slice(cut)])])
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
    const { seen, stop, done } = start([() => pieces([bytes('id: 8\ndata: a\n\ndata: b\n\n')])])
    await pass(10)
    stop.abort()
    await done
    expect(seen.after.slice(0, 2)).toEqual([undefined, '8'])
  })

  test('a stopped channel closes the connection and reports nothing more', async () => {
    const { seen, stop, done } = start([() => pieces([bytes(': open\n\n')], false)])
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
    const { seen, stop, done } = start([fail, fail, fail, () => pieces([bytes('data: a\n\n')]), fail])
    await pass(10)
    stop.abort()
    await done
    expect(seen.waits).toEqual([1000, 2000, 4000, 1000, 2000])
  })
})
