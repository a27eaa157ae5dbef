import { describe, expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>
type Headers = Record<string, string>

const ALICE = 'alice@example.com'
const later = ({ clock }: Portal, ms: number) => clock.set({ at: new Date(clock.now().getTime() + ms) })
const { rex, misty, familyCar } = SEED.devices
const [REX, MISTY] = ['1000000001', '1000000002']
const GATEWAY = { 'x-device-key': 'demo-device-key' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const SECONDS = Date.parse('2026-03-02T09:00:30Z') / 1000
const query = (parameters: object) => `/ingest/osmand?${new URLSearchParams({ lat: '-34.9', lon: '-56.15', ...parameters })}`
const basic = (user: string, password: string) => ({ authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` })
const keyFor = async (portal: Portal, device: number = rex) => (await portal.call(ALICE, 'POST', `/devices/${device}/keys/`, {})).body.key
const statusOf = async (portal: Portal, device: number = rex) =>
  (await portal.call(ALICE, 'GET', `/devices/${device}/tracker_status/`)).body

/** Body of Traccar Client 9, after the template of its SDK. */
const appBody = (device_id: string) => ({
  location: {
    timestamp: '2026-03-02T09:00:30.862Z',
    coords: { latitude: -34.9, longitude: -56.15, accuracy: 3.8, speed: 18.67, heading: 63, altitude: 35.7 },
    is_moving: true,
    odometer: 1204,
    event: 'motionchange',
    battery: { level: 0.79, is_charging: false },
    activity: { type: 'in_vehicle' },
    extras: {},
    _: `&id=${device_id}&lat=-34.9&lon=-56.15&timestamp=2026-03-02T09:00:30.862Z&`,
  },
  device_id,
})

/** Body of OwnTracks for Android. */
const owned = {
  _type: 'location',
  acc: 20,
  alt: 0,
  batt: 64,
  bs: 1,
  conn: 'w',
  created_at: SECONDS + 2,
  lat: -34.9,
  lon: -56.15,
  tid: 'ex',
  tst: SECONDS,
  vac: 40,
  vel: 7,
}

describe('OsmAnd and Traccar Client', () => {
  test('OsmAnd requests in every supported form move the tracker', async () => {
    const rows: [string, (key: string) => [method: string, url: string, body?: unknown, headers?: Headers]][] = [
      ['a query with a dilution', (id) => ['GET', query({ id, timestamp: SECONDS, hdop: '0.8', altitude: '224', speed: '0.0' })]],
      ['a posted query', (id) => ['POST', query({ id, timestamp: `${SECONDS}862`, accuracy: '4', batt: '79' })]],
      ['a form', (id) => ['POST', '/ingest/osmand', query({ id, timestamp: SECONDS, accuracy: '4' }).split('?')[1], FORM]],
      ['parameters as JSON', (id) => ['POST', '/ingest/osmand', { id, lat: -34.9, lon: -56.15, timestamp: SECONDS, accuracy: 4 }]],
      ['JSON after a byte order mark', (id) => ['POST', '/ingest/osmand', `\uFEFF${JSON.stringify(appBody(id))}`, FORM]],
      ['decimal commas', (id) => ['GET', query({ id, lat: '-34,9', lon: '-56,15', timestamp: SECONDS, accuracy: '3,8' })]],
      ['long names', (id) => ['POST', '/ingest/osmand', `id=${id}&latitude=-34.9&longitude=-56.15&timestamp=${SECONDS}&acc=4`, FORM]],
      ['lng', (id) => ['POST', '/ingest/osmand', `id=${id}&lat=-34.9&lng=-56.15&timestamp=${SECONDS}&acc=4`, FORM]],
      ['a zone whose plus is not escaped', (id) => ['GET', `${query({ id, accuracy: '4' })}&timestamp=2026-03-02T11:00:30+02:00`]],
      ['a key pasted in capitals with a space', (id) => ['GET', query({ id: `${id.toUpperCase()} `, timestamp: SECONDS, accuracy: '4' })]],
      ['the JSON of the app', (id) => ['POST', '/ingest/osmand/', appBody(id)]],
      ['the JSON of the app as text/plain', (id) => ['POST', '/ingest/osmand', appBody(id), { 'content-type': 'text/plain' }]],
      [
        'an identifier with the key in a header',
        (key) => ['GET', query({ id: '10000000-01', timestamp: SECONDS, accuracy: '4' }), undefined, { 'x-device-key': key }],
      ],
      ['a serial with the key in the query', (key) => ['GET', query({ deviceid: 'ALICE0000001', timestamp: SECONDS, accuracy: '4', key })]],
      ['JSON with the key as basic auth password', (key) => ['POST', '/ingest/osmand', appBody(REX), basic('', key)]],
      ['JSON with its own device name and a key in the query', (key) => ['POST', `/ingest/osmand?key=${key}`, appBody('48241179')]],
      ['JSON of a gateway', () => ['POST', '/ingest/osmand', appBody(REX), GATEWAY]],
    ]
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        async ([, requestOf]) => {
          await using portal = await startPortal()
          later(portal, 60_000)
          const response = await portal.call(null, ...requestOf(await keyFor(portal)))
          expect([response.status, response.body, response.headers['cache-control']]).toEqual([200, '', 'no-store'])
          expect(await statusOf(portal)).toMatchObject({
            last_position: { lat: -34.9, lng: -56.15, precision: 4, datetime: '2026-03-02T09:00:30Z' },
          })
        },
      ),
    ).toEqual([])
  })

  test("a phone's battery percentage is saved, except for a tracker that reports millivolts", async () => {
    await using portal = await startPortal()
    const before = (await statusOf(portal, familyCar)).battery
    for (const device of [rex, familyCar]) await portal.call(null, 'GET', query({ id: await keyFor(portal, device), batt: '41' }))
    expect([(await statusOf(portal)).battery, (await statusOf(portal, familyCar)).battery]).toEqual([41, before])
    expect(before).toBeGreaterThan(1000)
  })

  test('an OsmAnd request without a position still applies a pending mode', async () => {
    await using portal = await startPortal()
    const { last_position } = await statusOf(portal)
    await portal.call(ALICE, 'PATCH', `/devices/${rex}/tracker_config/`, { mode: 23 })
    expect((await portal.call(null, 'GET', `/ingest/osmand?id=${await keyFor(portal)}`)).status).toBe(200)
    expect(await statusOf(portal)).toMatchObject({ last_position })
    expect((await portal.call(ALICE, 'GET', `/devices/${rex}/tracker_config/`)).body).toMatchObject({ mode: 23, pending_mode: null })
  })

  test('a repeated OsmAnd position is stored once and a future one not at all', async () => {
    await using portal = await startPortal()
    const id = await keyFor(portal, misty)
    const count = async () =>
      (await portal.call(ALICE, 'GET', `/devices/${misty}/tracker_data/?not_before=2026-03-01T00:00:00Z&not_after=2026-03-03T00:00:00Z`))
        .body.count
    const before = await count()
    for (const timestamp of [SECONDS, SECONDS, SECONDS + 3600])
      expect((await portal.call(null, 'GET', query({ id, timestamp }))).status).toBe(200)
    expect(await count()).toBe(before + 1)
  })

  test('an sos alarm becomes the button event of the tracker', async () => {
    await using portal = await startPortal()
    const { lat, lng: lon } = (await statusOf(portal, misty)).last_position
    later(portal, 60_000)
    await portal.call(null, 'GET', query({ id: await keyFor(portal, misty), lat, lon, alarm: 'sos' }))
    expect((await statusOf(portal, misty)).last_event).toEqual({ type: 'button', datetime: '2026-03-02T09:01:00Z' })
  })

  test('an sos alarm without a position is the button event, and moves nothing', async () => {
    await using portal = await startPortal()
    const id = await keyFor(portal, misty)
    const { last_position } = await statusOf(portal, misty)
    const rows: [seconds: number, Parameters<typeof portal.call>][] = [
      [60, [null, 'POST', `/ingest/osmand?id=${id}`, 'alarm=sos&batt=80', FORM]],
      [120, [null, 'POST', '/ingest/osmand', { device_id: id, location: { alarm: 'sos' } }]],
      [180, [null, 'POST', '/ingest/osmand', { device_id: id, location: { timestamp: SECONDS + 150, extras: { alarm: 'sos' } } }]],
    ]
    for (const [seconds, request] of rows) {
      later(portal, 60_000)
      expect((await portal.call(...request)).status).toBe(200)
      const at = new Date((SECONDS - 30 + seconds) * 1000).toISOString().replace('.000', '')
      expect(await statusOf(portal, misty)).toMatchObject({ last_position, last_event: { type: 'button', datetime: at } })
    }
  })

  test('failing OsmAnd queries get the right status and code', async () => {
    await using portal = await startPortal()
    const rows: [number, string, Headers, string][] = [
      [401, query({ id: '0'.repeat(40) }), {}, 'invalid_device_key'],
      [401, query({ id: REX }), {}, 'invalid_device_key'],
      [401, query({}), {}, 'invalid_device_key'],
      [401, query({ id: REX, key: 'wrong' }), {}, 'invalid_device_key'],
      [404, query({ id: '5555555555' }), GATEWAY, 'unknown_tracker'],
      [404, query({}), GATEWAY, 'unknown_tracker'],
      [404, query({ id: 'Phone' }), GATEWAY, 'unknown_tracker'],
      [400, query({ id: REX, lat: '91' }), GATEWAY, 'validation_error'],
      [400, query({ id: REX, timestamp: 'noon' }), GATEWAY, 'validation_error'],
    ]
    expect(
      await collectFailures(rows, JSON.stringify, async ([status, url, headers, code]) => {
        expect(await portal.call(null, 'GET', url, undefined, headers)).toMatchObject({ status, body: { code } })
      }),
    ).toEqual([])
  })

  test('a device key reports for its own tracker whatever the phone calls itself', async () => {
    await using portal = await startPortal()
    const before = await statusOf(portal, misty)
    const headers = { 'x-device-key': await keyFor(portal) }
    for (const [nth, id] of [MISTY, 'ALICE0000002', '8737767034', '+1 555 123 4567', '00:1B:44:11:3A:B7', '001B44113AB7'].entries()) {
      later(portal, 60_000)
      const lat = -34.9 + nth / 1000
      expect((await portal.call(null, 'GET', query({ id, lat }), undefined, headers)).status).toBe(200)
      expect((await statusOf(portal)).last_position.lat).toBeCloseTo(lat, 5)
    }
    expect(await statusOf(portal, misty)).toEqual(before)
  })

  test('OsmAnd bodies get the right status and code', async () => {
    await using portal = await startPortal()
    const rows = [
      ['{"location":', 400, 'malformed_json'],
      ['[1]', 400, 'validation_error'],
      ['[]', 400, 'validation_error'],
      ['{}', 400, 'validation_error'],
      ['good morning', 400, 'validation_error'],
      [
        JSON.stringify({ deduplicationId: '1', deviceInfo: { devEui: '0123456789abcdef' }, object: { latitude: 1 } }),
        400,
        'validation_error',
      ],
      [JSON.stringify([{ id: REX }, { id: MISTY }]), 400, 'validation_error'],
      [JSON.stringify({ ...appBody(REX), more: 'x'.repeat(300_000) }), 413, 'too_large'],
      [JSON.stringify({ device_id: REX, location: { coords: {} } }), 400, 'validation_error'],
      [JSON.stringify({ id: REX, location: '1,2', __proto__: null, constructor: { prototype: 1 } }), 200, undefined],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([body]) => body.slice(0, 40),
        async ([body, status, code]) => {
          const response = await portal.call(null, 'POST', `/ingest/osmand?id=${REX}`, body, {
            ...GATEWAY,
            'content-type': 'application/json',
          })
          expect([response.status, response.body.code]).toEqual([status, code])
        },
      ),
    ).toEqual([])
  })
})

describe('OwnTracks', () => {
  const post = (portal: Portal, body: unknown, headers: Headers) => portal.call(null, 'POST', '/ingest/owntracks', body, headers)

  test('an OwnTracks location with user and password moves the tracker over a real socket', async () => {
    await using portal = await startPortal()
    later(portal, 60_000)
    const address = await portal.app.listen({ port: 0, host: '127.0.0.1' })
    const headers = { ...basic('10000000-01', await keyFor(portal)), 'content-type': 'application/json; charset=utf-8' }
    const response = await fetch(`${address}/ingest/owntracks`, { method: 'POST', headers, body: JSON.stringify(owned) })
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'application/json; charset=utf-8',
      '[]',
    ])
    const last_position = { lat: -34.9, lng: -56.15, precision: 20, datetime: '2026-03-02T09:00:30Z' }
    expect(await statusOf(portal)).toMatchObject({ battery: 64, last_position })
    const stranger = await fetch(`${address}/ingest/owntracks`, { method: 'POST', body: '{}' })
    expect([stranger.status, stranger.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="Device key", charset="UTF-8"'])
  })

  test('an OwnTracks transition is stored as a position without its event', async () => {
    await using portal = await startPortal()
    const key = await keyFor(portal)
    later(portal, 60_000)
    const transition = { ...owned, _type: 'transition', event: 'enter', desc: 'Home', wtst: 1_700_000_000, t: 'c', acc: 30.5 }
    expect((await post(portal, transition, basic('phone', key))).body).toEqual([])
    const period = 'not_before=2026-03-02T09:00:30Z&not_after=2026-03-02T09:00:30Z'
    const { body } = await portal.call(ALICE, 'GET', `/devices/${rex}/tracker_data/?${period}`)
    expect(body.results).toMatchObject([{ lat: -34.9, precision: 31 }])
    expect(body.results[0].event).not.toBe('place_enter')
    expect((await statusOf(portal)).last_position).toMatchObject({ lat: -34.9, precision: 31 })
  })

  test('irrelevant OwnTracks messages are acknowledged without effect', async () => {
    const rows = [
      ['a waypoint', { _type: 'waypoint', desc: 'Home', lat: 1, lon: 2, rad: 50, tst: 1 }],
      ['waypoints', { _type: 'waypoints', waypoints: [] }],
      ['a last will', { _type: 'lwt', tst: 1 }],
      ['a status', { _type: 'status', iOS: {} }],
      ['an unknown type', { _type: 'of tomorrow' }],
      ['an empty array', []],
      ['an empty body, sent when a friend is removed,', ''],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        async ([, body]) => {
          await using portal = await startPortal()
          const before = await statusOf(portal)
          later(portal, 60_000)
          expect(await post(portal, body, basic('phone', await keyFor(portal)))).toMatchObject({ status: 200, body: [] })
          expect(await statusOf(portal)).toEqual(before)
        },
      ),
    ).toEqual([])
  })

  test('a gateway sends several OwnTracks messages as an array for the user it names', async () => {
    await using portal = await startPortal()
    later(portal, 120_000)
    const response = await post(portal, [owned, { ...owned, tst: SECONDS + 60, lat: -34.91 }], basic(REX, 'demo-device-key'))
    expect([response.status, (await statusOf(portal)).last_position.lat]).toEqual([200, -34.91])
  })

  test('failing OwnTracks messages get the right status and code', async () => {
    await using portal = await startPortal()
    const rows: [number, unknown, Headers, string][] = [
      [401, owned, {}, 'invalid_device_key'],
      [401, owned, basic(REX, 'wrong'), 'invalid_device_key'],
      [401, owned, { authorization: 'Basic !' }, 'invalid_device_key'],
      [401, owned, { authorization: 'Bearer wrong' }, 'invalid_device_key'],
      [404, owned, { authorization: 'Bearer demo-device-key' }, 'unknown_tracker'],
      [404, owned, basic('phone', 'demo-device-key'), 'unknown_tracker'],
      [404, owned, basic('5555555555', 'demo-device-key'), 'unknown_tracker'],
      [400, { ...owned, lat: 100 }, basic(REX, 'demo-device-key'), 'validation_error'],
      [400, '{"_type":', basic(REX, 'demo-device-key'), 'malformed_json'],
      [400, { _type: 'encrypted', data: 'AAAA' }, basic(REX, 'demo-device-key'), 'validation_error'],
      [413, { ...owned, face: 'x'.repeat(300_000) }, basic(REX, 'demo-device-key'), 'too_large'],
    ]
    expect(
      await collectFailures(
        rows,
        ([status, body]) => `${status} ${JSON.stringify(body).slice(0, 40)}`,
        async ([status, body, headers, code]) => {
          const response = await post(portal, body, headers)
          expect(response).toMatchObject({ status, body: { code } })
          expect(response.headers['www-authenticate'] !== undefined).toBe(status === 401)
        },
      ),
    ).toEqual([])
  })

  test('the user name of OwnTracks is ignored with the key of one tracker', async () => {
    await using portal = await startPortal()
    later(portal, 60_000)
    for (const user of [MISTY, '5551234567']) expect((await post(portal, owned, basic(user, await keyFor(portal)))).status).toBe(200)
    expect((await statusOf(portal)).last_position).toMatchObject({ lat: -34.9 })
  })
})

test('an unknown path under /ingest gets JSON 404', async () => {
  await using portal = await startPortal()
  expect(await portal.call(null, 'GET', '/ingest/teltonika')).toMatchObject({ status: 404, body: { code: 'not_found' } })
})
