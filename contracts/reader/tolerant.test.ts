import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { api } from '#contracts/index.ts'
import { Id, Instant, MinorUnits } from '#contracts/lib/common.ts'
import { Device } from '#contracts/trackers/devices.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { sampleDevice } from '#web/trackers/sample-device.ts'
import { toDate, toInstant } from './scalars.ts'
import { readTolerantly } from './tolerant.ts'

const device = sampleDevice({ id: 17, name: 'Rex' })
const Devices = z.array(Device)

/** The body with one field changed, by its path. */
function change(body: unknown, path: string, value: unknown): unknown {
  const copy = structuredClone(body) as Record<string, unknown>
  const names = path.split('.')
  const last = names.pop()!
  const parent = names.reduce((at, name) => at[name] as Record<string, unknown>, copy)
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return copy
}

const read = (schema: z.ZodMiniType, body: unknown) => {
  const reading = readTolerantly(schema, body)
  return reading.ok ? { value: reading.value, habits: reading.deviations.map(({ path, habit }) => `${path} ${habit}`) } : reading
}

test('a body that conforms to the contract is read unchanged, without deviations', () => {
  expect(read(Devices, [device])).toEqual({ value: [device], habits: [] })
})

test('fields unknown to the contract are dropped', () => {
  expect(read(Device, { ...device, fur: 'red' })).toEqual({ value: device, habits: [] })
})

describe('a field with another habit is read as the contract means it', () => {
  const position = { lat: 43.6, lng: 7, precision: 12, datetime: '2026-03-01T12:00:00Z' }
  const whole = change(change(device, 'tracker_status.last_position', position), 'tracker_status.battery', 80)
  test.each([
    ['a decimal as text', 'tracker_status.last_position.lat', '43.6000000', 43.6, 'number-as-text'],
    ['a precision with a fraction', 'tracker_status.last_position.precision', 12.4, 12, 'fraction'],
    ['an instant with an offset', 'tracker_status.last_position.datetime', '2026-03-01T14:00:00+02:00', position.datetime, 'other-instant'],
    ['an instant without a zone', 'tracker_status.last_position.datetime', '2026-03-01 12:00:00', position.datetime, 'other-instant'],
    ['epoch seconds', 'tracker_status.last_position.datetime', 1772366400, position.datetime, 'other-instant'],
    ['epoch milliseconds', 'tracker_status.last_position.datetime', 1772366400000, position.datetime, 'other-instant'],
    ['a boolean as number', 'visible', 0, false, 'boolean-as-text'],
    ['a boolean as text', 'visible', 'False', false, 'boolean-as-text'],
    ['an id as text', 'id', '17', 17, 'id-as-text'],
    ['an id that is no number', 'id', '5f0c-9a', '5f0c-9a', 'id-as-text'],
    ['a text as number', 'serial', 123456, '123456', 'text-as-number'],
    ['a value in other letters', 'kind', 'DOG', 'dog', 'other-case'],
    ['a value of next year', 'kind', 'scooter', 'scooter', 'unknown-value'],
    ['a type of next year', 'type', 'tracker_99', 'tracker_99', 'unknown-value'],
    ['a name that is absent', 'name', undefined, '–', 'absent'],
    ['a flag that is null', 'visible', null, true, 'absent'],
    ['a kind that is null', 'kind', null, 'dog', 'other-place'],
    ['a nullable field that is absent', 'operator', undefined, null, 'absent'],
    ['a number that is none', 'tracker_status.battery', 'full', null, 'unreadable'],
    ['a position without a latitude', 'tracker_status.last_position.lat', null, undefined, 'absent'],
  ])('%s', (_, path, given, taken, habit) => {
    const result = readTolerantly(Device, change(whole, path, given))
    const value = path.split('.').reduce((at: unknown, name) => (at as Record<string, unknown> | null)?.[name], result.ok && result.value)
    expect(value).toEqual(taken)
    expect(result.deviations).toContainEqual({ path, habit })
  })

  describe('a position in another form', () => {
    const known = { lat: 48.85, lng: 2.35, datetime: '2026-03-01T12:00:00Z' }
    const time = { timestamp: known.datetime }
    test.each<[string, unknown]>([
      ['latitude and longitude', { latitude: 48.85, longitude: 2.35, accuracy: 12, date: known.datetime }],
      ['lat and lon as text, epoch seconds', { lat: '48.85', lon: '2.35', updated_at: 1772366400 }],
      ['long', { lat: 48.85, long: 2.35, ...time }],
      ['camel case', { lat: 48.85, lng: 2.35, recordedAt: known.datetime }],
      ['a GeoJSON point', { type: 'Point', coordinates: [2.35, 48.85], ...time }],
      ['a GeoJSON point with its height', { type: 'Point', coordinates: [2.35, 48.85, 31], ...time }],
      ['a GeoJSON feature', { type: 'Feature', geometry: { type: 'Point', coordinates: [2.35, 48.85] }, properties: time }],
      ['a point inside', { point: { lat: 48.85, lng: 2.35 }, ...time }],
      ['WKT inside', { location: 'SRID=4326;POINT (2.35 48.85)', ...time }],
      ['a text inside', { coordinates: '48.85, 2.35', ...time }],
    ])('%s', (_, position) => {
      const result = read(Device, change(device, 'tracker_status.last_position', position))
      expect(result).toMatchObject({ value: { tracker_status: { last_position: known } } })
    })

    test.each<[string, object]>([
      ['on the tracker', { last_position: known }],
      ['under another name', { lastPosition: known }],
      ['as WKT with its time beside it', { last_position: 'POINT(2.35 48.85)', last_position_date: known.datetime }],
      ['as coordinates of the tracker', { latitude: '48.85', longitude: '2.35', last_seen: known.datetime }],
      ['as GeoJSON of the tracker', { geometry: { type: 'Point', coordinates: [2.35, 48.85] }, timestamp: known.datetime }],
    ])('%s', (_, fields) => {
      const { last_position: _none, ...status } = device.tracker_status
      expect(read(Device, { ...device, tracker_status: status, ...fields })).toMatchObject({
        value: { tracker_status: { last_position: known } },
      })
    })

    test.each([null, {}, 'unknown', [], [1], { type: 'Point', coordinates: null }, { latitude: 48.85 }])(
      '%j is not a position',
      (position) => {
        const result = read(Device, change(device, 'tracker_status.last_position', position))
        expect(result).toMatchObject({ value: { tracker_status: { last_position: null } } })
      },
    )

    test('history positions without an id or address get an id from their time', () => {
      const at = (second: number) => ({ lat: '48.85', lon: '2.35', timestamp: `2026-03-01T12:00:0${second}Z` })
      const result = read(api.positions.history.response[200], { count: 2, next: null, previous: null, results: [at(1), at(2)] })
      expect(result).toMatchObject({
        value: {
          results: [
            { ...known, datetime: at(1).timestamp },
            { ...known, datetime: at(2).timestamp },
          ],
        },
      })
      const { results } = (result as unknown as { value: { results: { id: number }[] } }).value
      expect(new Set(results.map(({ id }) => id)).size).toBe(2)
    })
  })

  test('a tracker with all fields at its top level is read as if they were nested as in the contract', () => {
    const { tracker_config, tracker_status, ...fields } = sampleDevice({ id: 17, name: 'Rex' })
    const flat = { ...tracker_config, ...tracker_status, ...fields, last_event: 'lost', last_event_date: '2026-03-01T12:00:00Z' }
    const event = { type: 'lost', datetime: '2026-03-01T12:00:00Z' }
    expect(read(Device, flat)).toMatchObject({
      value: { ...fields, tracker_config, tracker_status: { ...tracker_status, last_event: event } },
    })
  })

  test('fields of the tracker inside its settings or its state are found there', () => {
    const { serial, is_public, online_since, ...fields } = { ...device, serial: '10000000-10', is_public: true, online_since: null }
    const config = { ...device.tracker_config, serial_number: serial, public: is_public }
    expect(read(Device, { ...fields, tracker_config: config })).toMatchObject({ value: { serial, is_public, online_since } })
  })

  test('a field at its place in the contract is not replaced by one elsewhere', () => {
    const own = change(device, 'tracker_status.battery', 80) as object
    expect(read(Device, { ...own, battery: 10, kind: 'cat', tracker_config: { ...device.tracker_config, kind: 'dog' } })).toMatchObject({
      value: { kind: 'cat', tracker_status: { battery: 80 } },
    })
  })

  test("a backend's own names locate a field in an object, a list and a page", () => {
    const { serial: _none, ...fields } = change(device, 'tracker_status.last_position', null) as typeof device
    const own = { ...fields, plate: '10000000-10', where: { now: { lat: 48.85, lng: 2.35, datetime: '2026-03-01T12:00:00Z' } } }
    const names = { serial: 'plate', 'tracker_status.last_position': 'where.now', 'tracker_status.battery': 'where.nothing' }
    const known = { serial: '10000000-10', tracker_status: { last_position: { lat: 48.85, lng: 2.35 } } }
    expect(readTolerantly(Device, own, names)).toMatchObject({ value: known })
    expect(readTolerantly(Devices, [own], names)).toMatchObject({ value: [known] })
    expect(readTolerantly(Devices, { results: [own] }, names)).toMatchObject({ value: [known] })
    expect(readTolerantly(Device, { ...own, serial: '1' }, names)).toMatchObject({ value: { serial: '1' } })
  })

  test.each([[10], ['10'], [{ min: 10, max: 10 }]])('%j minutes between two updates are read as a range', (every) => {
    const config = { ...device.tracker_config, frequency_moving: every, frequency_stationary: 'often' }
    expect(read(Device, { ...device, tracker_config: config })).toMatchObject({
      value: { tracker_config: { frequency_moving: { min: 10, max: 10 }, frequency_stationary: null } },
    })
  })

  test('a tracker without a kind gets its icon from its usage', () => {
    const { kind, ...fields } = device
    const of = (usage: string) => read(Device, { ...fields, tracker_config: { ...device.tracker_config, usage } })
    expect([of('cat'), of('horse')]).toMatchObject([{ value: { kind: 'cat' } }, { value: { kind: 'horse' } }])
    expect(kind).toBe('dog')
  })

  test('whether a tracker moves is unknown without the start of its standstill', () => {
    const { stationary_since, ...status } = device.tracker_status
    const since = (given: object) => read(Device, { ...device, ...given })
    expect(stationary_since).toBeNull()
    expect(since({ tracker_status: status })).toMatchObject({ value: { tracker_status: { stationary_since: '' } } })
    expect(since({ tracker_status: status, stationary_since: null })).toMatchObject({
      value: { tracker_status: { stationary_since: null } },
    })
  })

  test('a missing section is filled with neutral values', () => {
    const result = readTolerantly(Device, { ...device, tracker_status: undefined, tracker_config: null })
    expect(result).toMatchObject({
      ok: true,
      value: {
        tracker_status: { sub_state: 'active', battery: null, last_position: null },
        tracker_config: { mode: 0, mode_state: 'applied' },
      },
    })
  })
})

describe('lists', () => {
  test('an unreadable entry is skipped and counted, the others stay', () => {
    const result = readTolerantly(Devices, [device, null, 'x', { ...device, id: undefined }, { ...device, id: 18 }])
    expect(result).toMatchObject({ ok: true, omitted: 3, value: [{ id: 17 }, { id: 18 }] })
  })

  test.each([
    ['results', { count: 1, next: 'https://api.test/devices/?page=2', previous: null, results: [device] }],
    ['data and links', { data: [device], links: { next: 'https://api.test/devices/?page=2' }, meta: { total: 5 } }],
    ['a list within data', { data: { items: [device], next: 'https://api.test/devices/?page=2' } }],
  ])('a page with %s is read where a list is expected, and its next page is known', (_, body) => {
    expect(readTolerantly(Devices, body)).toMatchObject({ ok: true, value: [device], next: 'https://api.test/devices/?page=2' })
  })

  test('a list is read where a page is expected', () => {
    const schema = api.positions.history.response[200]
    expect(read(schema, [])).toEqual({ value: { count: 0, next: null, previous: null, results: [] }, habits: [' list-for-page'] })
  })

  test('a position of a history without a time is skipped', () => {
    const point = { id: 1, lat: 1, lng: 1, precision: 5, datetime: null, address: null, event: null, battery: null }
    expect(readTolerantly(api.positions.history.response[200], { count: 1, next: null, previous: null, results: [point] })).toMatchObject({
      ok: true,
      omitted: 1,
      value: { results: [] },
    })
  })
})

describe('objects', () => {
  test('an object is unwrapped from its envelope', () => {
    expect(read(api.users.settings.response[200], { data: { firstname: 'A', lastname: 'B' } })).toMatchObject({
      value: { firstname: 'A', lastname: 'B', birthday: null },
    })
  })

  test('a value that is not an object is unreadable', () => {
    for (const body of [undefined, null, 'x', 3, [], '<html>']) expect(readTolerantly(api.devices.get.response[200], body).ok).toBe(false)
  })

  test.each(['token', 'key', 'access', 'auth_token'])('the token of a sign-in may be named %s, and be the whole response', (name) => {
    expect(readTolerantly(api.sessions.signIn.response[200], { [name]: 'abc' })).toMatchObject({
      ok: true,
      value: { token: 'abc', user: { role: 'user', email_confirmed: true } },
    })
  })

  test('a body is ignored where none is expected', () => {
    expect(read(api.devices.activate.response[200], { status: 'ok' })).toEqual({ value: undefined, habits: [' body-not-expected'] })
  })
})

test('an amount of money with a fraction is rejected, because its unit is unknown', () => {
  const schema = z.object({ total: MinorUnits })
  expect(read(schema, { total: '1290.00' })).toMatchObject({ value: { total: 1290 } })
  expect(read(schema, { total: '12.90' })).toMatchObject({ value: { total: Number.NaN } })
})

test('every response of the contract can be compiled to a reader', async () => {
  const rows = Object.entries(api).flatMap(([resource, contract]) =>
    Object.entries(contract).flatMap(([name, route]) =>
      Object.values(route.response).map((schema) => ({ name: `${resource}.${name}`, schema: schema as z.ZodMiniType })),
    ),
  )
  expect(
    await collectFailures(
      rows,
      ({ name }) => name,
      ({ schema }) => {
        for (const body of [undefined, null, {}, [], 'x', 1]) readTolerantly(schema, body)
      },
    ),
  ).toEqual([])
})

test('an object without its id is unreadable, whatever else is missing', () => {
  expect(readTolerantly(z.object({ id: Id, at: z.nullable(Instant) }), { at: null }).ok).toBe(false)
})

describe('times', () => {
  test.each([
    ['2026-03-01T12:00:00.250+01:00', '2026-03-01T11:00:00.250Z'],
    ['2026-03-01T12:00:00+0530', '2026-03-01T06:30:00Z'],
    ['2026-03-01T12:00:00.123456', '2026-03-01T12:00:00.123Z'],
    ['2026-03-01', '2026-03-01T00:00:00Z'],
    ['1772366400', '2026-03-01T12:00:00Z'],
    ['soon', undefined],
    ['', undefined],
    [12, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    [true, undefined],
  ])('%s is read as the instant %s', (given, taken) => {
    expect(toInstant(given)).toBe(taken)
  })

  test.each([
    ['2026-03-01T23:30:00-05:00', '2026-03-01'],
    [1772366400, '2026-03-01'],
    ['', undefined],
  ])('%s is read as the date %s', (given, taken) => {
    expect(toDate(given)).toBe(taken)
  })
})
