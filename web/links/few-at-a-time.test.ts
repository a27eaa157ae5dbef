import { describe, expect, test, vi } from 'vitest'
import { ApiError } from '#web/lib/api/api-error.ts'
import { readFewAtATime } from './few-at-a-time.ts'

const throttled = () => new ApiError(429, { code: 'throttled' })
const THINGS = Array.from({ length: 30 }, (_, index) => index)

/**
 * Reads numbers; `refuse` says which attempt is rejected, counted from 1. `open` records how many reads were in progress when each began.
 */
function createReader(refuse: (attempt: number) => boolean = () => false) {
  const seen: { now: number; open: number[] } = { now: 0, open: [] }
  const read = async (thing: number) => {
    const attempt = seen.open.push(++seen.now)
    await Promise.resolve()
    seen.now--
    if (refuse(attempt)) throw throttled()
    return thing * 10
  }
  return { read, seen }
}

describe('many reads', () => {
  test('at most four reads are in progress at a time, and the results keep their order', async () => {
    const { read, seen } = createReader()
    expect(await readFewAtATime(THINGS, read)).toEqual(THINGS.map((thing) => thing * 10))
    expect([seen.open.length, Math.max(...seen.open)]).toEqual([30, 4])
  })

  test('the results so far are reported after each read', async () => {
    const onResult = vi.fn()
    await readFewAtATime([1, 2, 3], createReader().read, { onResult })
    expect(onResult.mock.calls.map(([results]) => results.length)).toEqual([1, 2, 3])
    expect(onResult).toHaveBeenLastCalledWith([10, 20, 30])
  })

  test('a rejection for too many requests is repeated after growing pauses', async () => {
    const wait = vi.fn(async () => undefined)
    const { read, seen } = createReader((attempt) => attempt <= 3)
    expect(await readFewAtATime([7], read, { wait })).toEqual([70])
    expect(wait.mock.calls).toEqual([[1000], [2000], [4000]])
    expect(seen.open).toHaveLength(4)
  })

  test('after a rejection the reads are sequential', async () => {
    const { read, seen } = createReader((attempt) => attempt === 1)
    expect(await readFewAtATime(THINGS, read, { wait: async () => undefined })).toHaveLength(30)
    expect(seen.open.slice(0, 4)).toEqual([1, 2, 3, 4])
    expect(new Set(seen.open.slice(8))).toEqual(new Set([1]))
  })

  test('a backend that rejects for more than a minute is a failure', async () => {
    const wait = vi.fn(async () => undefined)
    await expect(readFewAtATime([1], createReader(() => true).read, { wait })).rejects.toMatchObject({ status: 429 })
    expect(wait).toHaveBeenCalledTimes(6)
  })

  test('another failure is thrown at once', async () => {
    const wait = vi.fn(async () => undefined)
    const read = () => Promise.reject(new ApiError(500, { code: 'server_error' }))
    await expect(readFewAtATime([1], read, { wait })).rejects.toMatchObject({ status: 500 })
    expect(wait).not.toHaveBeenCalled()
  })

  test('nothing more is read once the caller has cancelled', async () => {
    const caller = new AbortController()
    const { read, seen } = createReader()
    const reading = readFewAtATime(THINGS, read, { signal: caller.signal, onResult: () => caller.abort() })
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
    expect(seen.open.length).toBeLessThanOrEqual(8)
  })
})
