import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/** The periods that have begun; a test ends them. */
const periods: AbortController[] = []
let notice: () => void = () => undefined

beforeEach(() => {
  periods.length = 0
  vi.resetModules()
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const period = new AbortController()
    periods.push(period)
    return period.signal
  })
  vi.stubGlobal(
    'PerformanceObserver',
    class {
      constructor(listen: () => void) {
        notice = listen
      }
      observe() {}
    },
  )
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const endPeriod = () => periods.at(-1)!.abort(new DOMException('late', 'TimeoutError'))
const start = async () => (await import('./patience.ts')).createPatience()

test('a server that sends nothing is given up after one period', async () => {
  const { signal } = await start()
  endPeriod()
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' })
})

test('a request may take another period while the connection delivers something else, but not forever', async () => {
  const { signal } = await start()
  for (let period = 1; period < 6; period++) {
    notice()
    endPeriod()
    expect(signal.aborted).toBe(false)
  }
  notice()
  endPeriod()
  expect(signal.aborted).toBe(true)
})

test('a response that has begun may take another period', async () => {
  const { signal, answered } = await start()
  answered()
  endPeriod()
  expect(signal.aborted).toBe(false)
})
