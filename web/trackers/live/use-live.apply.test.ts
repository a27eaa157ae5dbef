import { QueryClient } from '@tanstack/react-query'
import { describe, expect, test, vi } from 'vitest'
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
