import { describe, expect, test } from 'vitest'
import type { HistoryPage } from '#contracts/positions.ts'
import { pointsOf } from '#web/test/points-of.ts'
import { type Progress, readPages } from './read-pages.ts'

const START = Date.parse('2026-03-02T00:00:00Z')
const point = (index: number) => ({
  id: index,
  lat: index / 1000,
  lng: 0,
  precision: 5,
  datetime: new Date(START + index * 1000).toISOString(),
  address: index % 2 === 0 ? 'Calle Uno 1' : null,
  event: null,
  battery: null,
})

type Query = Record<string, string>
type Style = (start: number, size: number) => string

/** A backend with `count` positions on pages of ten, whose links are of some style. The test triggers each response. */
function startBackend(count: number, link: Style, startOf: (query: Query) => number) {
  const waiting: { query: Query; answer(): void; fail(): void }[] = []
  const asked: Query[] = []
  const state = { count }
  const page = (start: number): HistoryPage => ({
    count: state.count,
    next: start + 10 < state.count ? link(start + 10, 10) : null,
    previous: null,
    results: Array.from({ length: Math.max(0, Math.min(10, state.count - start)) }, (_, index) => point(start + index)),
  })
  const readPage = (query: Query) => {
    asked.push(query)
    return new Promise<HistoryPage>((resolve, reject) =>
      waiting.push({ query, answer: () => resolve(page(startOf(query))), fail: () => reject(new Error('lost')) }),
    )
  }
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {
    asked,
    state,
    readPage,
    waiting,
    settle,
    async answerAll() {
      for (await settle(); waiting.length > 0; await settle()) for (const each of waiting.splice(0)) each.answer()
    },
  }
}

const byPage = (count: number) =>
  startBackend(
    count,
    (start) => `/x/?page=${start / 10 + 1}`,
    ({ page = '1' }) => (Number(page) - 1) * 10,
  )
const idsOf = (progress: Progress) => pointsOf(progress.positions).map(({ id }) => id)
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('pages of a history', () => {
  test.each([
    ['pages', byPage],
    [
      'positions',
      (count: number) =>
        startBackend(
          count,
          (start) => `?limit=10&offset=${start}`,
          ({ offset = '0' }) => Number(offset),
        ),
    ],
  ])('numbered by %s are requested four at a time', async (_, start) => {
    const backend = start(95)
    const reading = readPages({ readPage: backend.readPage })
    await backend.settle()
    expect(backend.waiting).toHaveLength(1)
    backend.waiting.shift()?.answer()
    await backend.settle()
    expect(backend.waiting).toHaveLength(4)
    backend.waiting.splice(1, 1)[0]?.answer()
    await backend.settle()
    expect(backend.waiting).toHaveLength(4)
    await backend.answerAll()
    expect(pointsOf(await reading)).toEqual(upTo(95).map(point))
    expect(backend.asked).toHaveLength(10)
  })

  test('pages linked by a cursor are requested one after the other', async () => {
    const backend = startBackend(
      35,
      (start) => `?cursor=c${start}`,
      ({ cursor = 'c0' }) => Number(cursor.slice(1)),
    )
    const reading = readPages({ readPage: backend.readPage })
    for (let page = 0; page < 4; page++) {
      await backend.settle()
      expect(backend.waiting).toHaveLength(1)
      backend.waiting.shift()?.answer()
    }
    expect(pointsOf(await reading)).toEqual(upTo(35).map(point))
  })

  test('pages are drawn as they arrive, from the start without a gap', async () => {
    const backend = byPage(50)
    const seen: number[][] = []
    const reading = readPages({ readPage: backend.readPage, onProgress: (progress) => void seen.push(idsOf(progress)) })
    await backend.settle()
    backend.waiting.shift()?.answer()
    await backend.settle()
    backend.waiting.splice(1, 1)[0]?.answer()
    await backend.settle()
    backend.waiting.shift()?.answer()
    await backend.settle()
    expect(seen).toEqual([upTo(10), upTo(10), upTo(30)])
    await backend.answerAll()
    await reading
  })

  test('positions that arrive while pages are read follow them', async () => {
    const backend = byPage(20)
    const reading = readPages({ readPage: backend.readPage })
    await backend.settle()
    backend.waiting.shift()?.answer()
    backend.state.count = 45
    await backend.answerAll()
    expect(pointsOf(await reading)).toEqual(upTo(45).map(point))
  })

  test('pages of a backend that ignores their number are not read forever', async () => {
    const backend = startBackend(
      95,
      () => '?page=2',
      () => 0,
    )
    const reading = readPages({ readPage: backend.readPage })
    await backend.answerAll()
    expect((await reading).length).toBeLessThan(95)
    expect(backend.asked.length).toBeLessThan(8)
  })

  test('pages read before a failure are not requested again', async () => {
    const backend = byPage(60)
    let known: Progress | undefined
    const onProgress = (progress: Progress) => {
      known = progress
    }
    const failing = readPages({ readPage: backend.readPage, onProgress }).catch((error: Error) => error.message)
    await backend.settle()
    backend.waiting.shift()?.answer()
    await backend.settle()
    backend.waiting.shift()?.fail()
    await backend.answerAll()
    expect(await failing).toBe('lost')
    backend.asked.splice(0)
    const again = readPages({ readPage: backend.readPage, onProgress, known })
    await backend.answerAll()
    expect(pointsOf(await again)).toEqual(upTo(60).map(point))
    expect(backend.asked).toEqual([{}, { page: '2' }, { page: '6' }])
  })
})
