import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setClientPorts } from '#web/lib/api/api.ts'
import { sampleDevice } from '#web/trackers/sample-device.ts'
import { useLive } from './use-live.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  Object.defineProperty(navigator, 'onLine', { value: true, configurable: true })
})

function follow(stream: () => Response) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 10_000, networkMode: 'always' } } })
  const asked = { list: 0, live: 0, left: 0 }
  const fetch = async (address: RequestInfo | URL) => {
    const isLive = String(address).endsWith('/devices/live/')
    asked[isLive ? 'live' : 'list']++
    return isLive ? stream() : Response.json([sampleDevice()])
  }
  setClientPorts({ fetch, base: '', onLeave: () => ++asked.left > 0 })
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  return { ...renderHook(useLive, { wrapper }), asked, queries }
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
/** A stream that sends the text after a second and then stays open. */
const openStream = (text = '') => {
  let speak: NodeJS.Timeout
  const start = (to: ReadableStreamDefaultController) => {
    speak = setTimeout(() => to.enqueue(new TextEncoder().encode(`: open\n\n${text}`)), 1000)
  }
  return new Response(new ReadableStream({ start, cancel: () => clearTimeout(speak) }))
}

test('without a stream the list is polled every 30 seconds, and failures do not redirect the user', async () => {
  const { result, asked } = follow(() => new Response('', { status: 503 }))
  await pass(500)
  expect(result.current).toBe('offline')
  expect(asked).toMatchObject({ list: 1, live: 1 })
  await pass(61_000)
  expect(asked.list).toBe(3)
  expect(asked.live).toBeGreaterThan(4)
  expect(asked.left).toBe(0)
})

test('with a stream nothing is polled, and events update the screens', async () => {
  const tracker_status = { ...sampleDevice().tracker_status, battery: 12 }
  const text = `id: 3\nevent: status\ndata: ${JSON.stringify({ device: 1, tracker_status })}\n\n`
  const { result, asked, queries } = follow(() => openStream(text))
  await pass(35_000)
  expect(result.current).toBe('live')
  expect(asked).toMatchObject({ list: 1, live: 1 })
  expect(queries.getQueryData<ReturnType<typeof sampleDevice>[]>(['devices'])?.[0]?.tracker_status.battery).toBe(12)
})

test('a stream that is silent for 40 seconds is reopened, and everything is reloaded', async () => {
  const { result, asked } = follow(() => openStream())
  await pass(40_000)
  expect([result.current, asked.live]).toEqual(['live', 1])
  await pass(3000)
  expect([result.current, asked.live]).toEqual(['live', 2])
  expect(asked.list).toBe(2)
})

test('offline the stream is closed, and back online it is reopened', async () => {
  const { result, asked } = follow(() => openStream())
  await pass(500)
  Object.defineProperty(navigator, 'onLine', { value: false, configurable: true })
  await act(async () => void window.dispatchEvent(new Event('offline')))
  expect(result.current).toBe('offline')
  await pass(120_000)
  expect(asked).toMatchObject({ list: 1, live: 1 })
  Object.defineProperty(navigator, 'onLine', { value: true, configurable: true })
  await act(async () => void window.dispatchEvent(new Event('online')))
  await pass(500)
  expect(result.current).toBe('live')
  expect(asked.list).toBeGreaterThan(1)
})
