import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { NO_POSITIONS } from '#contracts/track/columns.ts'
import { setClientPorts } from '#web/lib/api/api.ts'
import { pointsOf } from '#web/test/points-of.ts'
import { SAMPLE_AT, sampleDevice } from '#web/trackers/sample-device.ts'
import { devicesQuery, traceQuery } from '#web/trackers/trackers.queries.tsx'
import { applyLive, collectPerFrame } from './use-live.ts'

const start = () => {
  const queries = new QueryClient()
  queries.setQueryData(devicesQuery().queryKey, [sampleDevice({ id: 1 }), sampleDevice({ id: 2 })])
  return queries
}
const event = (type: string, body: object) => ({ id: '1', type, data: JSON.stringify(body) })
const later = new Date(SAMPLE_AT.getTime() + 60_000).toISOString()
const moved = { ...sampleDevice().tracker_status, battery: 41, last_position: { lat: -34.91, lng: -56.17, precision: 9, datetime: later } }

test('R-2.58 a position event moves one tracker and leaves the others', () => {
  const queries = start()
  applyLive(queries, event('position', { device: 2, tracker_status: moved }))
  const [first, second] = queries.getQueryData(devicesQuery().queryKey) ?? []
  expect(first?.tracker_status.battery).toBe(85)
  expect(second?.tracker_status).toMatchObject({ battery: 41, last_position: { lat: -34.91 } })
})

test('an event of another backend is read like its list: ids and numbers as text', async () => {
  setClientPorts({ log: { failure: vi.fn() }, onDeviations: vi.fn() })
  const queries = start()
  applyLive(queries, event('position', { device: '2', tracker_status: { ...moved, battery: '41' } }))
  await expect.poll(() => queries.getQueryData(devicesQuery().queryKey)?.[1]?.tracker_status).toMatchObject({ battery: 41 })
})

test('R-4.3 a mode event shows the settings as sending', () => {
  const queries = start()
  const tracker_config = { ...sampleDevice().tracker_config, pending_mode: 27, mode_state: 'sending' }
  applyLive(queries, event('mode', { device: 1, tracker_config }))
  expect(queries.getQueryData(devicesQuery().queryKey)?.[0]?.tracker_config.pending_mode).toBe(27)
})

test("today's track is extended by each new position once", () => {
  const queries = start()
  const open = traceQuery(1, '2026-03-02T00:00:00Z').queryKey
  const closed = traceQuery(1, '2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z').queryKey
  queries.setQueryData(open, NO_POSITIONS)
  queries.setQueryData(closed, NO_POSITIONS)
  applyLive(queries, event('position', { device: 1, tracker_status: moved }))
  applyLive(queries, event('position', { device: 1, tracker_status: moved }))
  expect(pointsOf(queries.getQueryData(open))).toMatchObject([{ lat: -34.91, datetime: later, battery: 41 }])
  expect(pointsOf(queries.getQueryData(closed))).toEqual([])
})

test('a gap in the stream reloads the data', () => {
  const queries = start()
  applyLive(queries, event('reset', {}))
  expect(queries.getQueryState(devicesQuery().queryKey)?.isInvalidated).toBe(true)
})

test('unknown events change nothing', () => {
  const queries = start()
  const before = queries.getQueryData(devicesQuery().queryKey)
  for (const strange of [event('toString', {}), event('position', { device: 'x' }), { id: null, type: 'mode', data: '{' }])
    applyLive(queries, strange)
  expect(queries.getQueryData(devicesQuery().queryKey)).toBe(before)
})

test('several events change the list once, later ones of a tracker take precedence', () => {
  const queries = start()
  const tracker_config = { ...sampleDevice().tracker_config, pending_mode: 27, mode_state: 'sending' }
  const changed = vi.fn()
  queries.getQueryCache().subscribe(({ type }) => type === 'updated' && changed())
  applyLive(
    queries,
    event('position', { device: 1, tracker_status: { ...moved, battery: 50 } }),
    event('mode', { device: 1, tracker_config }),
    event('position', { device: 1, tracker_status: moved }),
    event('position', { device: 2, tracker_status: moved }),
  )
  expect(queries.getQueryData(devicesQuery().queryKey)).toMatchObject([
    { tracker_status: { battery: 41 }, tracker_config: { pending_mode: 27 } },
    { tracker_status: { battery: 41 }, tracker_config: { pending_mode: null } },
  ])
  expect(changed).toHaveBeenCalledOnce()
})

test('a tracker without an event stays the same object', () => {
  const queries = start()
  const [first] = queries.getQueryData(devicesQuery().queryKey) ?? []
  applyLive(queries, event('position', { device: 2, tracker_status: moved }))
  expect(queries.getQueryData(devicesQuery().queryKey)?.[0]).toBe(first)
})

test('all events of a frame are passed on together', () => {
  const frames: FrameRequestCallback[] = []
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => frames.push(callback))
  const work = vi.fn()
  const collect = collectPerFrame<number>(work)
  collect(1)
  collect(2)
  expect([work.mock.calls.length, frames.length]).toEqual([0, 1])
  frames[0]?.(0)
  collect(3)
  frames[1]?.(16)
  expect(work.mock.calls).toEqual([[[1, 2]], [[3]]])
  vi.unstubAllGlobals()
})
