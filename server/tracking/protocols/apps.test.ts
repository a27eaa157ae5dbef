import { describe, expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const { rex } = SEED.devices
const AT = Date.parse('2026-03-02T09:00:30Z')
const SECONDS = AT / 1000
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_TYPE = { 'content-type': 'application/json' }

const createKey = async (portal: Portal) => (await portal.call(ALICE, 'POST', `/devices/${rex}/keys/`, {})).body.key as string
const later = ({ clock }: Portal, ms: number) => clock.set({ at: new Date(clock.now().getTime() + ms) })
const basic = (key: string, user = 'phone') => ({ authorization: `Basic ${btoa(`${user}:${key}`)}` })
const readStatus = async (portal: Portal) => (await portal.call(ALICE, 'GET', `/devices/${rex}/tracker_status/`)).body
const readPoint = async (portal: Portal) => {
  const period = 'not_before=2026-03-02T09:00:30Z&not_after=2026-03-02T09:00:30Z'
  return (await portal.call(ALICE, 'GET', `/devices/${rex}/tracker_data/?${period}`)).body.results[0]
}

/** The form of Traccar Client 10: speed in knots, the battery in percent with a decimal. */
const traccarForm = (key: string, more = {}) =>
  new URLSearchParams({
    id: key,
    lat: '-34.9',
    lon: '-56.15',
    timestamp: String(SECONDS),
    accuracy: '3.8',
    altitude: '35.7',
    speed: '10.0',
    bearing: '63.0',
    batt: '79.0',
    charge: 'false',
    ...more,
  }).toString()

/** The same position as sent with the app's `uploadJson` setting. */
const traccarObject = (id: string, more = {}) => ({
  id,
  lat: -34.9,
  lon: -56.15,
  timestamp: SECONDS,
  accuracy: 3.8,
  altitude: 35.7,
  speed: 10,
  bearing: 63,
  batt: 79,
  charge: false,
  ...more,
})

const traccar9 = (device_id: string, more = {}) => ({
  location: {
    timestamp: '2026-03-02T09:00:30.862Z',
    coords: { latitude: -34.9, longitude: -56.15, accuracy: 3.8, speed: 5.144, heading: 63, altitude: 35.7 },
    is_moving: true,
    battery: { level: 0.79, is_charging: false },
    activity: { type: 'in_vehicle' },
    extras: {},
    ...more,
  },
  device_id,
})

const ownTracks = {
  _type: 'location',
  acc: 4,
  alt: 36,
  batt: 79,
  bs: 1,
  conn: 'w',
  lat: -34.9,
  lon: -56.15,
  tid: 'ex',
  tst: SECONDS,
  vel: 19,
  cog: 63,
}

const overlandFeature = (changes: object = {}) => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [-56.15, -34.9] },
  properties: {
    timestamp: '2026-03-02T09:00:30Z',
    altitude: 35.7,
    speed: 5.144,
    course: 63,
    horizontal_accuracy: 3.8,
    vertical_accuracy: 4,
    motion: ['driving'],
    battery_state: 'unplugged',
    battery_level: 0.79,
    device_id: 'iphone',
    wifi: '',
    ...changes,
  },
})

type Sent = readonly [method: 'GET' | 'POST', url: string, body?: unknown, headers?: Record<string, string>]

const osmandUrl = (parameters: object) => `/ingest/osmand?${new URLSearchParams({ lat: '-34.9', lon: '-56.15', ...parameters })}`
const gpslogger = { acc: '3.8', alt: '35.7', spd: '5.144', dir: '63', batt: '79.0', timestamp: String(SECONDS) }

/** Requests as each app builds them, all of the same position. */
const REQUESTS: readonly [app: string, (key: string) => Sent][] = [
  ['Traccar Client 10', (key) => ['POST', '/ingest/osmand', traccarForm(key), FORM]],
  ['Traccar Client 10 with uploadJson', (key) => ['POST', '/ingest/osmand', [traccarObject(key)], JSON_TYPE]],
  ['Traccar Client 10, flat JSON', (key) => ['POST', '/ingest/osmand', traccarObject(key), JSON_TYPE]],
  ['Traccar Client 9', (key) => ['POST', '/ingest/osmand', traccar9(key), JSON_TYPE]],
  ['Traccar Client 8, a posted query', (key) => ['POST', `/ingest/osmand?${traccarForm(key)}`]],
  [
    'OwnTracks',
    (key) => ['POST', '/ingest/owntracks', ownTracks, { ...JSON_TYPE, ...basic(key), 'x-limit-u': 'phone', 'x-limit-d': 'ex' }],
  ],
  ['Overland', (key) => ['POST', '/ingest/overland', { locations: [overlandFeature()] }, { ...JSON_TYPE, authorization: `Bearer ${key}` }]],
  ['Overland with the key in its URL', (key) => ['POST', `/ingest/overland?key=${key}`, { locations: [overlandFeature()] }, JSON_TYPE]],
  ['GPSLogger', (key) => ['GET', osmandUrl({ id: key, ...gpslogger })]],
  [
    'GPSLogger with %ALL',
    (key) => ['GET', osmandUrl({ key, ...gpslogger, sat: '12', prov: 'gps', hdop: '0.8', aid: '1f', profile: 'Default' })],
  ],
  [
    'GPSLogger with basic authentication',
    (key) => ['POST', '/ingest/osmand', osmandUrl(gpslogger).split('?')[1], { ...FORM, ...basic(key) }],
  ],
  [
    'Home Assistant',
    (key) => ['POST', '/ingest/osmand', traccarObject('anna', { batt: 79 }), { ...JSON_TYPE, authorization: `Bearer ${key}` }],
  ],
  [
    'OsmAnd with the template of the portal',
    (key) => ['GET', osmandUrl({ id: key, timestamp: AT, acc: '3.8', alt: '35.7', spd: '5.144', dir: '63.0' })],
  ],
  [
    'OsmAnd with its documented template',
    (key) => ['GET', osmandUrl({ id: key, timestamp: AT, hdop: '3.8', altitude: '35.7', speed: '5.144', bearing: '63.0' })],
  ],
]

describe('requests as the apps build them', () => {
  test.each(REQUESTS)('%s reports position, accuracy, speed, course and altitude', async (app, requestOf) => {
    await using portal = await startPortal()
    const request = requestOf(await createKey(portal))
    later(portal, 60_000)
    expect((await portal.call(null, ...request)).status).toBe(200)
    const point = await readPoint(portal)
    expect(point).toMatchObject({ lat: -34.9, lng: -56.15, precision: 4, course: 63, altitude: 36 })
    expect(point.speed).toBeCloseTo(18.8, 0)
    if (!app.startsWith('OsmAnd')) expect((await readStatus(portal)).battery).toBe(79)
  })

  test("messages that are not positions are acknowledged, so that no app's queue gets stuck", async () => {
    const rows: [string, (key: string) => Sent][] = [
      ['a heartbeat of Traccar Client 10', (id) => ['POST', '/ingest/osmand', `id=${id}&timestamp=${SECONDS}&batt=41.0`, FORM]],
      ['a heartbeat in an array', (id) => ['POST', '/ingest/osmand', [{ id, timestamp: SECONDS, batt: 41 }], JSON_TYPE]],
      [
        'a heartbeat of Traccar Client 9',
        (id) => ['POST', '/ingest/osmand', traccar9(id, { coords: undefined, battery: { level: 0.41 } }), JSON_TYPE],
      ],
      ['no satellite fix', (id) => ['POST', '/ingest/osmand', `id=${id}&lat=NaN&lon=NaN&batt=41`, FORM]],
      [
        'OwnTracks at 0,0',
        (id) => ['POST', '/ingest/owntracks', { ...ownTracks, lat: 0, lon: 0, batt: 41 }, { ...JSON_TYPE, ...basic(id) }],
      ],
    ]
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        async ([, requestOf]) => {
          await using portal = await startPortal()
          const { last_position } = await readStatus(portal)
          const request = requestOf(await createKey(portal))
          expect((await portal.call(null, ...request)).status).toBe(200)
          expect(await readStatus(portal)).toMatchObject({ last_position, battery: 41 })
        },
      ),
    ).toEqual([])
  })

  test('HEAD on the OsmAnd endpoint reports nothing', async () => {
    await using portal = await startPortal()
    expect(
      (await portal.call(null, 'HEAD', osmandUrl({ id: '1000000001' }), undefined, { 'x-device-key': 'demo-device-key' })).status,
    ).toBe(404)
  })

  test('the notification token of Traccar Client is acknowledged', async () => {
    await using portal = await startPortal()
    const body = `id=${await createKey(portal)}&notificationToken=abc`
    expect((await portal.call(null, 'POST', '/ingest/osmand', body, FORM)).status).toBe(200)
  })

  test('an SOS is the event button in every form of Traccar Client', async () => {
    type Place = { lat: number; lng: number }
    const SOS = { alarm: 'sos' }
    const at = ({ lat, lng }: Place) => ({ coords: { latitude: lat, longitude: lng, accuracy: 3.8 } })
    const rows: [string, (key: string, place: Place) => Sent][] = [
      ['form', (key, { lat, lng }) => ['POST', '/ingest/osmand', traccarForm(key, { lat, lon: lng, ...SOS }), FORM]],
      ['array', (key, { lat, lng }) => ['POST', '/ingest/osmand', [traccarObject(key, { lat, lon: lng, ...SOS })], JSON_TYPE]],
      ['location.alarm', (key, place) => ['POST', '/ingest/osmand', traccar9(key, { ...at(place), ...SOS }), JSON_TYPE]],
      ['extras.alarm', (key, place) => ['POST', '/ingest/osmand', traccar9(key, { ...at(place), extras: SOS }), JSON_TYPE]],
    ]
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        async ([, requestOf]) => {
          await using portal = await startPortal()
          // At the tracker's current position, since leaving a place would be an event too.
          const request = requestOf(await createKey(portal), (await readStatus(portal)).last_position)
          later(portal, 60_000)
          expect((await portal.call(null, ...request)).status).toBe(200)
          expect((await readPoint(portal)).event).toBe('button')
        },
      ),
    ).toEqual([])
  })

  test('an encrypted OwnTracks message is refused with a hint to remove the key', async () => {
    await using portal = await startPortal()
    const { body } = await portal.call(
      null,
      'POST',
      '/ingest/owntracks',
      { _type: 'encrypted', data: 'AAAA' },
      basic('demo-device-key', '1000000001'),
    )
    expect(body.errors._type[0]).toContain('remove the encryption key in the app')
  })

  test('of an array of Traccar Client every position is stored, and unreadable ones are skipped', async () => {
    await using portal = await startPortal()
    const id = await createKey(portal)
    later(portal, 120_000)
    const body = [traccarObject(id), traccarObject(id, { lat: 95 }), traccarObject(id, { timestamp: SECONDS + 60, lat: -34.91, batt: 78 })]
    expect((await portal.call(null, 'POST', '/ingest/osmand', body, JSON_TYPE)).status).toBe(200)
    expect(await readPoint(portal)).toMatchObject({ lat: -34.9 })
    expect(await readStatus(portal)).toMatchObject({ battery: 78, last_position: { lat: -34.91 } })
  })
})

describe('Overland', () => {
  const send = (portal: Portal, key: string, body: unknown) =>
    portal.call(null, 'POST', '/ingest/overland', body, { ...JSON_TYPE, authorization: `Bearer ${key}` })

  test('a batch of more than 1,000 positions is stored and acknowledged with result ok', async () => {
    await using portal = await startPortal()
    const key = await createKey(portal)
    later(portal, 3600_000)
    const locations = Array.from({ length: 1500 }, (_, nth) => overlandFeature({ timestamp: new Date(AT + nth * 1000).toISOString() }))
    const body = { locations }
    expect(JSON.stringify(body).length).toBeGreaterThan(256 * 1024)
    expect(await send(portal, key, body)).toMatchObject({ status: 200, body: { result: 'ok' } })
    const period = 'not_before=2026-03-02T09:00:30Z&not_after=2026-03-02T09:25:29Z'
    expect((await portal.call(ALICE, 'GET', `/devices/${rex}/tracker_data/?${period}`)).body.count).toBe(1500)
    expect((await readStatus(portal)).last_position.datetime).toBe('2026-03-02T09:25:29Z')
  })

  test('a gateway names the tracker in the device ID of the app', async () => {
    await using portal = await startPortal()
    later(portal, 60_000)
    expect((await send(portal, 'demo-device-key', { locations: [overlandFeature({ device_id: '1000000001' })] })).status).toBe(200)
    expect(await readPoint(portal)).toMatchObject({ lat: -34.9 })
    expect((await send(portal, 'demo-device-key', { locations: [overlandFeature()] })).status).toBe(404)
  })

  test('Overland keeps a batch that the server could not read', async () => {
    await using portal = await startPortal()
    const key = await createKey(portal)
    expect((await send(portal, key, { trip: {} })).status).toBe(400)
    expect((await send(portal, key, '{"locations":')).status).toBe(400)
    expect((await send(portal, 'wrong', { locations: [] })).status).toBe(401)
    expect((await send(portal, key, { locations: [overlandFeature({ wifi: 'x'.repeat(1_100_000) })] })).status).toBe(413)
    expect((await portal.call(null, 'POST', `/ingest/osmand?id=${key}`, { locations: [overlandFeature()] }, JSON_TYPE)).status).toBe(400)
  })
})
