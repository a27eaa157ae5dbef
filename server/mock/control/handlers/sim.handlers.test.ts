import { describe, expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { parseGpx } from '#server/mock/simulator/route-request.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>
const { rex, misty, newTracker, deliveryVan } = SEED.devices
const post = (portal: Portal, id: number, what: string, body?: object) =>
  portal.call(null, 'POST', `/mock/sim/trackers/${id}/${what}`, body)
const advance = (portal: Portal, by: string) => portal.call(null, 'POST', '/mock/clock/advance', { by })
const read = async (portal: Portal, id: number) => (await portal.call('alice@example.com', 'GET', `/devices/${id}/`)).body
const GPX =
  '<gpx><trk><trkseg><trkpt lat="-34.9" lon="-56.2"/><trkpt lon=\'-56.19\' lat=\'-34.9\'><ele>1</ele></trkpt></trkseg></trk></gpx>'

test('a tracker has learnt where it usually is after one call, which is refused for an unknown tracker', async () => {
  await using portal = await startPortal()
  const { body, status } = await post(portal, rex, 'learn')
  expect([status, body]).toEqual([200, expect.objectContaining({ enabled: true, ready_from: null, learnt_at: expect.any(String) })])
  expect([body.places.length, body.ways.length, body.cells.length].every((count) => count > 3)).toBe(true)
  expect((await portal.call('alice@example.com', 'GET', `/devices/${rex}/normal/`)).body).toEqual(body)
  await advance(portal, 'PT6H')
  expect((await post(portal, rex, 'learn')).body.learnt_at).toBe('2026-03-02T15:00:00Z')
  expect((await post(portal, 999, 'learn')).status).toBe(404)
})

describe('driving a tracker', () => {
  test('a tracker drives along points at the given speed and then returns to its routine', async () => {
    await using portal = await startPortal({ scenario: 'expiring' })
    await post(portal, rex, 'position', { lat: -34.9, lng: -56.2 })
    const drive = (await post(portal, rex, 'drive', { points: [{ lat: -34.9, lng: -56.1 }], speed_kmh: 36, every_seconds: 60 })).body
    expect(drive).toMatchObject({ metres: expect.any(Number), positions: Math.ceil(drive.metres / 600) + 1 })
    await advance(portal, 'PT5M')
    const halfway = (await read(portal, rex)).tracker_status.last_position
    const [point] = (await portal.call('alice@example.com', 'GET', `/devices/${rex}/tracker_data/`)).body.results.slice(-1)
    expect(point).toMatchObject({ speed: 36, course: 90 })
    expect(halfway.lng).toBeGreaterThan(-56.18)
    expect(halfway.lng).toBeLessThan(-56.16)
    const sim = (await portal.call(null, 'GET', '/mock/sim')).body.trackers.find(({ id }: { id: number }) => id === rex)
    expect(sim).toMatchObject({ drive_ends_at: drive.ends_at, silent_until: null })
    await advance(portal, 'PT12H')
    expect((await read(portal, rex)).tracker_status.last_position.lng).not.toBeCloseTo(-56.1, 3)
  })

  test('a tracker drives along streets to an address or along a GPX track, even without a routine', async () => {
    await using portal = await startPortal({ scenario: 'expiring' })
    const street = (await post(portal, misty, 'drive', { route: ['Zelmar Michelini 1326'] })).body
    expect(street.metres).toBeGreaterThan(1000)
    const track = (await post(portal, newTracker, 'drive', { gpx: GPX, speed_kmh: 90 })).body
    expect(track.metres).toBeGreaterThan(800)
    await advance(portal, 'PT1M')
    expect((await read(portal, newTracker)).tracker_status.last_position.lng).toBeCloseTo(-56.19, 2)
  })

  const poles = [
    { lat: 89.9, lng: 179.9 },
    { lat: -89.9, lng: -179.9 },
  ]
  const track = poles.map(({ lat, lng }) => `<trkpt lat="${lat}" lon="${lng}"/>`).join('')

  test('a drive with more than 10000 positions is rejected with the name of its route, points or gpx', async () => {
    await using portal = await startPortal({ scenario: 'expiring' })
    const rows = [
      ['points', { points: poles }],
      ['gpx', { gpx: track }],
      ['route', { route: ['Zelmar Michelini 1326'] }],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        async ([field, way]) => {
          const { status, body } = await post(portal, misty, 'drive', { ...way, speed_kmh: 0.1, every_seconds: 1 })
          expect({ status, errors: body.errors }).toEqual({
            status: 400,
            errors: {
              [field]: [expect.stringMatching(/^At most 10000 positions, and these are \d+: .* raise speed_kmh or every_seconds$/)],
            },
          })
        },
      ),
    ).toEqual([])
  })

  test('a malformed GPX file with 150000 open tags is parsed quickly', () => expect(parseGpx('<trkpt '.repeat(150_000))).toEqual([]))

  test('a drive without exactly one valid route is rejected', async () => {
    await using portal = await startPortal({ scenario: 'theft' })
    const rows = [
      {},
      { points: [{ lat: 1, lng: 1 }], gpx: GPX },
      { gpx: '<gpx/>' },
      { route: ['Atlantis 1'] },
      { points: [{ lat: 91, lng: 0 }] },
    ]
    expect(
      await collectFailures(rows, JSON.stringify, async (body) => {
        expect((await post(portal, SEED.devices.familyCar, 'drive', body)).body.code).toBe('validation_error')
      }),
    ).toEqual([])
  })

  test('a GPX file yields its track, else its route, else its waypoints', () => {
    expect(parseGpx(GPX)).toEqual([
      { lat: -34.9, lng: -56.2 },
      { lat: -34.9, lng: -56.19 },
    ])
    expect(parseGpx('<wpt lat="1" lon="2"/><rtept lat="3" lon="4"/>')).toEqual([{ lat: 3, lng: 4 }])
    expect(parseGpx('<gpx><trk/></gpx>')).toEqual([])
  })

  test('an invalid point in a GPX file is reported with its line', async () => {
    await using portal = await startPortal({ scenario: 'theft' })
    const rows = ['<trkpt lat="x" lon="2"/>', '<wpt lat="95" lon="2"/>', '<rtept lat="1"/>']
    expect(
      await collectFailures(rows, String, async (point) => {
        expect((await post(portal, SEED.devices.familyCar, 'drive', { gpx: `<gpx>\n\n${point}\n</gpx>` })).body.errors).toEqual({
          gpx: [`Line 3: ${point} wants lat from -90 to 90 and lon from -180 to 180`],
        })
      }),
    ).toEqual([])
  })
})

describe('messages of a tracker', () => {
  test('a position, an event or a bare message is ingested and applies a pending mode', async () => {
    await using portal = await startPortal()
    expect((await post(portal, newTracker, 'event', { type: 'low_battery' })).body.errors).toHaveProperty('type')
    expect((await post(portal, newTracker, 'position', { lat: 1, lng: 2, battery: 9 })).body).toEqual({ accepted: 1, ignored: 0 })
    await advance(portal, 'PT1M')
    expect((await post(portal, newTracker, 'event', { type: 'low_battery' })).status).toBe(200)
    expect((await read(portal, newTracker)).tracker_status).toMatchObject({ battery: 9, last_event: { type: 'low_battery' } })
    await advance(portal, 'PT1M')
    await post(portal, newTracker, 'position', { lat: 1, lng: 2, speed: 7.5, course: 271, altitude: -12 })
    const { results } = (await portal.call('alice@example.com', 'GET', `/devices/${newTracker}/tracker_data/`)).body
    expect(results.at(-1)).toMatchObject({ speed: 7.5, course: 271, altitude: -12 })
    await post(portal, deliveryVan, 'communicate')
    expect((await read(portal, deliveryVan)).tracker_config).toMatchObject({ mode: 7, pending_mode: null })
    expect((await post(portal, 999, 'communicate')).status).toBe(404)
  })
})

describe('wrong fixes', () => {
  const marksOf = async (portal: Portal, id: number) => {
    const day = 'not_before=2026-03-02T09:00:01Z&not_after=2026-03-02T12:00:00Z'
    const { results } = (await portal.call('alice@example.com', 'GET', `/devices/${id}/tracker_data/?${day}`)).body
    return results.map(({ id, mark }: { id: number; mark?: string }) => ({ id, mark }))
  }

  test('a position of the control plane is accepted wherever it is, a judged one only where the tracker can be', async () => {
    await using portal = await startPortal({ scenario: 'expiring' })
    await post(portal, newTracker, 'position', { lat: -34.9, lng: -56.2 })
    for (const lat of [-34.9001, -34.9002, -34.9001]) {
      await advance(portal, 'PT1M')
      await post(portal, newTracker, 'position', { lat, lng: -56.2, is_judged: true })
    }
    await advance(portal, 'PT1M')
    await post(portal, newTracker, 'position', { lat: -31, lng: -56.2, is_judged: true })
    expect((await read(portal, newTracker)).tracker_status.last_position.lat).toBeCloseTo(-34.9, 2)
    await advance(portal, 'PT1M')
    await post(portal, newTracker, 'position', { lat: -31, lng: -56.2 })
    expect((await read(portal, newTracker)).tracker_status.last_position.lat).toBe(-31)
  })

  test('a drive with jumps leaves marked positions in the history, and the tracker arrives', async () => {
    await using portal = await startPortal({ scenario: 'expiring' })
    await post(portal, newTracker, 'position', { lat: -34.9, lng: -56.2 })
    const way = { points: [{ lat: -34.9, lng: -56.1 }], speed_kmh: 40, every_seconds: 10, noise: 8, jumps: 0.1 }
    expect((await post(portal, newTracker, 'drive', way)).status).toBe(200)
    await advance(portal, 'PT30M')
    const marks = (await marksOf(portal, newTracker)).filter(({ mark }: { mark?: string }) => mark !== undefined)
    expect(marks.length).toBeGreaterThan(3)
    expect((await read(portal, newTracker)).tracker_status.last_position.lng).toBeCloseTo(-56.1, 3)
  })

  test('a user restores a marked position and reverts that', async () => {
    await using portal = await startPortal({ scenario: 'expiring' })
    await post(portal, newTracker, 'position', { lat: -34.9, lng: -56.2 })
    for (const lat of [-34.9001, -34.9002, -31]) {
      await advance(portal, 'PT1M')
      await post(portal, newTracker, 'position', { lat, lng: -56.2, is_judged: true })
    }
    const wrong = (await marksOf(portal, newTracker)).at(-1)
    expect(wrong.mark).toBe('jump')
    const change = async (mark: 'kept' | null, positions = [wrong.id]) =>
      portal.call('alice@example.com', 'PATCH', `/devices/${newTracker}/tracker_data/marks/`, { positions, mark })
    expect((await change('kept')).body).toEqual({ changed: 1 })
    expect((await change('kept')).body).toEqual({ changed: 0 })
    expect((await marksOf(portal, newTracker)).at(-1).mark).toBe('kept')
    expect((await read(portal, newTracker)).tracker_status.last_position.lat).toBe(-31)
    expect((await change(null)).body).toEqual({ changed: 1 })
    expect((await marksOf(portal, newTracker)).at(-1).mark).toBe('jump')
    expect((await read(portal, newTracker)).tracker_status.last_position.lat).toBeCloseTo(-34.9002, 4)
    expect((await change('kept', [rex * 2 ** 32 + 1])).body.errors).toHaveProperty('positions')
  })

  test('a public link shows no marked position', async () => {
    await using portal = await startPortal({ scenario: 'expiring' })
    await post(portal, newTracker, 'position', { lat: -34.9, lng: -56.2 })
    for (const lat of [-34.9001, -34.9002, -31]) {
      await advance(portal, 'PT1M')
      await post(portal, newTracker, 'position', { lat, lng: -56.2, is_judged: true })
    }
    const body = { label: 'Friends', start_date: '2026-03-02T09:00:00Z', end_date: '2026-03-03T09:00:00Z' }
    const link = await portal.call('alice@example.com', 'POST', `/devices/${newTracker}/public_share_link/`, body)
    const shared = await portal.call(null, 'GET', `/tracker_public_share_links/${link.body.uuid}/`)
    expect(JSON.stringify(shared.body)).toContain('-34.9002')
    expect(JSON.stringify(shared.body)).not.toContain('-31')
  })
})

describe('silence of a tracker', () => {
  test('a tracker is silent for the given time, and all trackers while the simulation is stopped', async () => {
    await using portal = await startPortal({ scenario: 'expiring' })
    const silenced = (await post(portal, rex, 'silence', { for: 'PT2H' })).body
    expect(silenced.trackers.find(({ id }: { id: number }) => id === rex).silent_until).toBe('2026-03-02T11:00:00Z')
    const before = (await read(portal, rex)).tracker_status.last_position.datetime
    expect((await advance(portal, 'PT1H')).body.positions).toBeGreaterThan(0)
    expect((await read(portal, rex)).tracker_status.last_position.datetime).toBe(before)
    await portal.call(null, 'PUT', '/mock/sim', { is_running: false })
    expect((await advance(portal, 'P1D')).body.positions).toBe(0)
    expect((await portal.call(null, 'PUT', '/mock/sim', { is_running: true })).body.is_running).toBe(true)
    expect((await advance(portal, 'PT5H')).body.positions).toBeGreaterThan(0)
    expect((await read(portal, rex)).tracker_status.last_position.datetime > before).toBe(true)
  })

  test('a silence of more than 400 days is rejected', async () => {
    await using portal = await startPortal({ scenario: 'expiring' })
    for (const span of ['P401D', 'P99999999999D'])
      expect(await post(portal, rex, 'silence', { for: span })).toMatchObject({
        status: 400,
        body: { errors: { for: ['At most 400 days; without it the silence has no end'] } },
      })
    expect((await post(portal, rex, 'silence', { for: 'P400D' })).status).toBe(200)
  })

  test('a tracker silent without end loses its network after ninety days', async () => {
    await using portal = await startPortal({ scenario: 'links_max' })
    await post(portal, SEED.devices.cityBike, 'silence', {})
    await post(portal, rex, 'silence', {})
    const { body } = await advance(portal, 'P91D')
    expect(body.positions).toBe(0)
    expect((await read(portal, rex)).tracker_config.network_state).toBe('deactivated')
  })
})
