import { expect, test, vi } from 'vitest'
import { FEATURES } from '#contracts/reader/features.ts'
import type { Path } from '#web/map/shapes/path.ts'
import { openAs } from '#web/test/open-as.tsx'
import { positionsApi } from '#web/trackers/trace/positions.api.ts'

vi.setConfig({ testTimeout: 90_000 })

const drawn: Path[] = []
vi.mock('#web/map/shapes/trace.tsx', () => ({
  Trace({ path }: { path: Path }) {
    drawn.push(path)
    return null
  },
}))

const START = Date.parse('2026-03-02T06:00:00Z')
const point = (index: number) => ({
  ...{ id: index, lat: -34.9 + index * 0.0001, lng: index === 5 ? -56.5 : -56.16, precision: 10 },
  ...{ datetime: new Date(START + index * 30_000).toISOString(), address: null, event: null, battery: null },
})

test('while a history arrives page by page, the map draws the first page without the positions that look wrong', async () => {
  const results = Array.from({ length: 10 }, (_, index) => point(index))
  vi.spyOn(positionsApi, 'history').mockImplementation(({ query }) =>
    query && 'page' in query ? new Promise(() => undefined) : Promise.resolve({ count: 20, next: '?page=2', previous: null, results }),
  )
  await using _page = await openAs('alice@example.com', '/trackers/1/history', { features: FEATURES.filter((one) => one !== 'track') })
  await vi.waitFor(() => expect(drawn.at(-1)?.length).toBe(9), { timeout: 60_000 })
  expect(drawn.every(({ lng }) => Array.from(lng).every((degrees) => degrees === -56.16))).toBe(true)
})
