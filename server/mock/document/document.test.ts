import { getTableName } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { SCENARIO_KEYS } from '#contracts/mock/scenarios.ts'
import type { Failure } from '#server/lib/errors.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { importWorld } from './import-world.ts'
import { LEFT_OUT } from './left-out.ts'
import { RESOURCES } from './resources.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>
const exportText = async (portal: Portal, id: string) => (await portal.call(null, 'GET', `/mock/worlds/${id}/export`)).raw.toString('utf8')
const create = (portal: Portal, id: string, document: unknown) =>
  portal.call(null, 'POST', `/mock/worlds/import?id=${id}`, typeof document === 'string' ? document : JSON.stringify(document), {
    'content-type': 'application/json',
  })
const FORMAT = { format: 'whereabouts world 1' }

describe('documents of worlds', () => {
  test('a world made from the document of another one has the same document, in every scenario', async () => {
    await using portal = await startPortal()
    const failures = await collectFailures(
      SCENARIO_KEYS.filter((key) => key !== 'crowd'),
      String,
      async (scenario) => {
        const id = scenario.replaceAll('_', '-')
        await portal.worlds.create({ id, seed: 1, scenario })
        const text = await exportText(portal, id)
        const made = await create(portal, `${id}-again`, text)
        expect([made.status, made.body.errors]).toEqual([201, undefined])
        expect((await exportText(portal, `${id}-again`)).split('\n')).toEqual(text.split('\n'))
      },
    )
    expect(failures).toEqual([])
  })

  test('a world in use exports an equal document after an import, and its time, positions, people and rows continue', async () => {
    await using portal = await startPortal()
    await portal.call('alice@example.com', 'POST', '/tracker_places/', {
      name: 'Beach',
      address: 'Rambla',
      type: 'other',
      radius: 300,
      lat: -34.92,
      lng: -56.15,
    })
    await portal.call(null, 'POST', '/mock/clock/advance', { by: 'P2D' })
    const text = await exportText(portal, 'main')
    const { body } = await create(portal, 'again', text)
    expect(await exportText(portal, 'again')).toBe(text)
    const [{ now }] = [(await portal.call(null, 'GET', '/mock/clock')).body]
    expect([body.clock.now, body.scenario]).toEqual([now, 'family'])
    const { token } = body.personas.find(({ key }: { key: string }) => key === 'alice')
    const there = { 'x-world': 'again', authorization: `Bearer ${token}` }
    expect((await portal.call(null, 'GET', '/tracker_places/', undefined, there)).body).toContainEqual(
      expect.objectContaining({ name: 'Beach' }),
    )
    const { rex } = SEED.devices
    const [old, made] = [
      await portal.call('alice@example.com', 'GET', `/devices/${rex}/tracker_data/`),
      await portal.call(null, 'GET', `/devices/${rex}/tracker_data/`, undefined, there),
    ]
    expect(old.body.count).toBeGreaterThan(10)
    expect(made.body).toEqual(old.body)
  })

  test('a world starts with what its document lets the server learn of a tracker, and exports it again', async () => {
    await using portal = await startPortal()
    const day = (nth: number, hour: number) => new Date(Date.UTC(2026, 0, 20 + nth, hour)).toISOString()
    const positions = Array.from({ length: 30 }, (_, nth) => [6, 12, 18].map((hour) => [day(nth, hour), -34.9, -56.2, 9]))
    const trackers = [{ id: 1, name: 'Bike' }]
    const usual_areas = [{ tracker: 1, dismissed: [[{ lat: -34.9, lng: -56.2 }]] }]
    const users = [{ email: 'anna@example.com' }]
    const world = { clock: { now: '2026-02-19T00:00:00Z' } }
    await create(portal, 'usual', { ...FORMAT, world, users, trackers, usual_areas, positions: { 1: positions.flat() } })
    const usual = { 'x-world': 'usual' }
    const { token } = (await portal.call(null, 'POST', '/mock/login', { persona: 'anna' }, usual)).body
    const normal = (await portal.call(null, 'GET', '/devices/1/normal/', undefined, { ...usual, authorization: `Bearer ${token}` })).body
    expect(normal).toMatchObject({ enabled: true, learnt_at: '2026-02-19T00:00:00Z', places: [{ days: 30, dismissed: true }] })
    expect(JSON.parse(await exportText(portal, 'usual')).usual_areas).toEqual(usual_areas)
  })

  test('a world starts with the faults of its document, even after a reset, and exports them again', async () => {
    await using portal = await startPortal()
    const stub = { effect: 'respond', status: 200, match: { route: '/devices/1/weather/', method: 'GET' }, body: { rain: true }, times: 1 }
    await create(portal, 'wet', { ...FORMAT, faults: [stub], users: [{ email: 'anna@example.com' }] })
    const wet = { 'x-world': 'wet' }
    const ask = async () => (await portal.call(null, 'GET', '/devices/1/weather/', undefined, wet)).status
    expect([await ask(), await ask()]).toEqual([200, 404])
    await portal.call(null, 'POST', '/mock/reset', {}, wet)
    expect(await ask()).toBe(200)
    const text = await exportText(portal, 'wet')
    expect(JSON.parse(text).faults).toEqual([stub])
    await create(portal, 'wet-again', text)
    expect(await exportText(portal, 'wet-again')).toBe(text)
  })

  test('a document contains no password hash and no other secret', async () => {
    await using portal = await startPortal()
    const text = await exportText(portal, 'main')
    expect(text).toContain('"password":"Demo-1234"')
    expect(text).not.toMatch(/argon2|hash|demo-device-key|stripe_secret/)
  })

  test('every table is in the document, or omitted for a reason', async () => {
    await using portal = await startPortal()
    const tables = portal.world.db.rawRead.prepare(`select name from sqlite_master where type = 'table'`).pluck().all() as string[]
    const known = RESOURCES.flatMap(({ table, children = [] }) => [table, ...children.map((child) => child.table)]).map(getTableName)
    expect(tables.filter((name) => !/^(sqlite_|__)/.test(name) && !known.includes(name) && !(name in LEFT_OUT))).toEqual([])
  })
})

describe('documents written by hand', () => {
  test('a silence that names trackers mutes only them, and the export says the same', async () => {
    await using portal = await startPortal()
    const rows = {
      users: [{ email: 'vet@example.com' }],
      trackers: [{ name: 'Bello' }, { name: 'Rex' }],
      silences: [
        { trackers: [2], kinds: ['low_battery'] },
        { user: 1, note: 'Holidays' },
      ],
    }
    const { body } = await create(portal, 'muted', { ...FORMAT, ...rows })
    const { token } = body.personas[0]
    const there = { 'x-world': 'muted', authorization: `Bearer ${token}` }
    const listed = (await portal.call(null, 'GET', '/alert_silences/', undefined, there)).body
    expect([body.errors, listed]).toEqual([
      undefined,
      [
        expect.objectContaining({ devices: [2], kinds: ['low_battery'], everyone: true, until: '2026-03-03T09:00:00Z' }),
        expect.objectContaining({ devices: [], kinds: [], everyone: false, note: 'Holidays' }),
      ],
    ])
    const text = await exportText(portal, 'muted')
    await create(portal, 'muted-again', text)
    expect(await exportText(portal, 'muted-again')).toBe(text)
    expect(JSON.parse(text).silences[0]).toMatchObject({ trackers: [2], is_for_all_devices: false })
  })

  test('a place with a shape gets the circle around it, and a crossed shape is refused', async () => {
    await using portal = await startPortal()
    const park = {
      name: 'Park',
      shape: {
        type: 'polygon',
        points: [
          [48.2, 16.37],
          [48.2, 16.38],
          [48.21, 16.38],
        ],
      },
    }
    const { body } = await create(portal, 'park', { ...FORMAT, users: [{ email: 'vet@example.com' }], places: [park] })
    const text = JSON.parse(await exportText(portal, 'park'))
    expect([body.errors, text.places]).toEqual([
      undefined,
      [expect.objectContaining({ ...park, lat: expect.closeTo(48.205, 2), radius: 680 })],
    ])
    const [a, b, c] = park.shape.points
    const crossed = { ...park, shape: { type: 'polygon', points: [a, c, b, [48.205, 16.37]] } }
    expect((await create(portal, 'crossed', { ...FORMAT, places: [crossed] })).body.errors).toHaveProperty('places[0].shape')
  })

  test('few fields suffice for a user with a tracker, a place and an alert', async () => {
    await using portal = await startPortal()
    const made = await create(portal, 'own', {
      ...FORMAT,
      users: [{ email: 'Anna@example.com' }],
      trackers: [{ name: 'Bello', kind: 'dog' }],
      places: [{ name: 'Home', lat: 48.2, lng: 16.37, trackers: [1] }],
      contacts: [{ email: 'vet@example.net' }],
      alerts: [{ place: 1, trigger: 'leave', trackers: [1], contacts: [1] }],
      positions: { 1: [['2026-03-02T08:00:00Z', 48.2, 16.37, 8]] },
    })
    expect(made).toMatchObject({ status: 201, body: { scenario: 'own', personas: [{ key: 'anna', password: 'Demo-1234' }] } })
    const own = { 'x-world': 'own' }
    const credentials = { username: 'anna@example.com', password: 'Demo-1234' }
    expect((await portal.call(null, 'POST', '/api/v1/auth/web_get_token/', credentials, own)).status).toBe(200)
    const { token } = (await portal.call(null, 'POST', '/mock/login', { persona: 'anna' }, own)).body
    const anna = { ...own, authorization: `Bearer ${token}` }
    const [tracker] = (await portal.call(null, 'GET', '/devices/?type=tracker', undefined, anna)).body
    expect(tracker).toMatchObject({ name: 'Bello', tracker_status: { last_position: { lat: 48.2, lng: 16.37 } } })
    await portal.call(null, 'POST', '/mock/sim/trackers/1/position', { lat: 48.3, lng: 16.37 }, own)
    await portal.call(null, 'POST', '/mock/mail/wait', { to: 'vet@example.net', template: 'place_alert' }, own)
    expect((await portal.call(null, 'POST', '/mock/reset', {}, own)).status).toBe(200)
    expect((await portal.call(null, 'GET', '/mock/mail', undefined, own)).body).toEqual([])
  })

  test.each([
    ['no JSON', '{"format":', { document: expect.stringContaining('JSON') }],
    ['other JSON', [], { format: expect.stringContaining('whereabouts world 1') }],
    ['an unknown list', { ...FORMAT, dogs: [] }, { dogs: expect.stringContaining('there are format, title') }],
    ['no list', { ...FORMAT, users: {} }, { users: 'Must be a list' }],
    ['an unknown field', { ...FORMAT, tags: [{ name: 'Pets', colour: 'red' }] }, { 'tags[0].colour': expect.stringContaining('color') }],
    ['a missing field', { ...FORMAT, users: [{}] }, { 'users[0].email': 'Required' }],
    ['a wrong value', { ...FORMAT, places: [{ name: 'Home', lat: 91, lng: 0 }] }, { 'places[0].lat': expect.any(String) }],
    [
      'a wrong time',
      { ...FORMAT, users: [{ email: 'a@example.com', created_at: 'noon' }] },
      { 'users[0].created_at': expect.stringContaining('instant') },
    ],
    [
      'a time without its zone',
      { ...FORMAT, trackers: [{ name: 'Bello' }], positions: { 1: [['2026-03-02T08:00:00', 48.2, 16.37, 8]] } },
      { 'positions.1[0][0]': expect.stringContaining('instant') },
    ],
    [
      'a reference to nothing',
      { ...FORMAT, alerts: [{ place: 7, trackers: [3] }] },
      { 'alerts[0].place': 'There is no 7 in places', 'alerts[0].trackers[0].tracker': 'There is no 3 in trackers' },
    ],
    [
      'another password',
      { ...FORMAT, users: [{ email: 'a@example.com', password: 'x' }] },
      { 'users[0].password': expect.stringContaining('Demo-1234') },
    ],
    ['a position of nothing', { ...FORMAT, positions: { 9: [] } }, { 'positions.9': 'There is no 9 in trackers' }],
    [
      'a wrong position',
      { ...FORMAT, trackers: [{ name: 'Bello' }], positions: { 1: [['2026-03-02T08:00:00Z', 99, 0, 8]] } },
      { 'positions.1[0][1]': expect.any(String) },
    ],
    ['no list of faults', { ...FORMAT, faults: {} }, { faults: 'Must be a list' }],
    [
      'a fault of an unknown call',
      { ...FORMAT, faults: [{ effect: 'reset', match: { route: 'dogs.list' } }] },
      { 'faults[0].match.route': expect.stringContaining('No call') },
    ],
    ['an unknown fault', { ...FORMAT, faults: [{ effect: 'rain' }] }, { 'faults[0].effect': expect.any(String) }],
    [
      'two of one e-mail',
      { ...FORMAT, users: [{ email: 'a@example.com' }, { email: 'A@example.com' }] },
      { 'users[1]': expect.stringMatching(/same (email|username)/) },
    ],
    [
      'a clock far away',
      { ...FORMAT, world: { clock: { now: '2036-01-01T00:00:00Z' } } },
      { 'world.clock.now': expect.stringContaining('400 days') },
    ],
  ])('%s is refused with its path and reason', async (_, document, errors) => {
    await using portal = await startPortal()
    const refused = await create(portal, 'own', document)
    expect(refused).toMatchObject({ status: 400, body: { code: 'validation_error' } })
    for (const [path, reason] of Object.entries(errors)) expect(refused.body.errors).toHaveProperty([path], [reason])
    expect(portal.worlds.get('own')).toBeUndefined()
  })
})

/** Values that people or programs may leave where a list belongs. */
const ODD = [[], {}, [[]], [null], ['x'], null, 7]
const ODD_TRACKS = [...ODD, { 1: [] }, { 1: [[]] }, { 1: [null] }, { 1: null }, { x: [] }, { 1: [['x']] }, { 1: [[1, 2, 3, 4]] }]

describe('odd documents', () => {
  test('a tracker with an empty list of positions has none in the world', async () => {
    await using portal = await startPortal()
    const made = await create(portal, 'own', {
      ...FORMAT,
      users: [{ email: 'anna@example.com' }],
      trackers: [{ name: 'Bello', kind: 'dog' }, { name: 'Rex' }],
      positions: { 1: [], 2: [['2026-03-02T08:00:00Z', 48.2, 16.37, 8]] },
    })
    expect(made.status).toBe(201)
    expect(JSON.parse(await exportText(portal, 'own')).positions).toEqual({ 2: [['2026-03-02T08:00:00Z', 48.2, 16.37, 8]] })
  })

  const lists = RESOURCES.map(({ name }) => [name, (value: unknown) => value] as const)
  const children = RESOURCES.flatMap(({ name, children = [] }) =>
    children.map((child) => [name, (value: unknown) => [{ [child.name]: value }]] as const),
  )

  test('a document with an odd value instead of a list is imported, or refused with the path of the value', async () => {
    const tried = [...lists, ...children].flatMap(([field, place]) => ODD.map((value) => ({ [field]: place(value) })))
    expect(tried.length).toBeGreaterThan(200)
    const failures = await collectFailures(tried, JSON.stringify, async (odd) => {
      const document = { ...FORMAT, users: [{ email: 'anna@example.com' }], trackers: [{ name: 'Bello' }], ...odd }
      const refusal = await importWorld(JSON.stringify(document)).then(
        () => null,
        (error: unknown) => error,
      )
      if (refusal === null) return
      expect(refusal).toMatchObject({ code: 'validation_error' })
      const paths = Object.keys((refusal as Failure).extras.errors ?? {})
      expect(paths.some((path) => path.startsWith(Object.keys(odd)[0]!) || path.startsWith('users'))).toBe(true)
    })
    expect(failures).toEqual([])
  })

  test('a document with odd positions, faults or world settings creates a world, or is refused with the path', async () => {
    await using portal = await startPortal()
    const tried = ['world', 'faults', 'positions'].flatMap((field) => ODD_TRACKS.map((value) => ({ [field]: value })))
    const failures = await collectFailures(tried, JSON.stringify, async (odd) => {
      const { status, body } = await create(portal, 'own', { ...FORMAT, trackers: [{ name: 'Bello' }], ...odd })
      if (status === 400) expect(Object.keys(body.errors)[0]).toMatch(/^(world|faults|positions)/)
      else expect([status, (await portal.call(null, 'DELETE', '/mock/worlds/own')).status]).toEqual([201, 200])
    })
    expect(failures).toEqual([])
  })
})
