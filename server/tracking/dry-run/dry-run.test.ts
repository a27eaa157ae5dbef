import { describe, expect, test } from 'vitest'
import { toFixed7 } from '#db/positions.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { ANCHOR } from '#server/test/test-files.ts'
import { ALICE, CENTRE, CIRCLE, DAY, METERS_PER_DEGREE, NOON, startDryRuns, stay } from './test-dry-run.ts'

const { misty, familyCar } = SEED.devices

describe('what an alert would have fired', () => {
  test('each crossing in its direction is listed with time and position, and counted by day and night', async () => {
    await using world = await startDryRuns([
      ...stay(0, 0, NOON),
      ...stay(900, NOON, DAY - 60),
      ...stay(0, DAY - 60, DAY),
      ...stay(900, DAY, DAY + NOON),
    ])
    const left = await world.try({})
    expect(left.firings).toEqual([
      {
        device: misty,
        at: world.instant(NOON),
        kind: 'place_leave',
        lat: expect.closeTo(CENTRE.lat + 900 / METERS_PER_DEGREE, 6),
        lng: CENTRE.lng,
      },
      { device: misty, at: world.instant(DAY), kind: 'place_leave', lat: expect.any(Number), lng: CENTRE.lng },
    ])
    expect([left.total, left.nights, left.partial, left.devices]).toEqual([2, 1, false, [misty]])
    expect(left.days).toHaveLength(30)
    expect(left.days.filter(({ total }) => total > 0)).toEqual([
      { day: world.instant(0).slice(0, 10), total: 1, nights: 0 },
      { day: world.instant(DAY).slice(0, 10), total: 1, nights: 1 },
    ])
    expect((await world.try({ trigger: 'enter' })).firings.map(({ at, kind }) => `${kind} ${at}`)).toEqual([
      `place_enter ${world.instant(DAY - 60)}`,
    ])
  })

  test('night and days are those of the time zone of the request', async () => {
    await using world = await startDryRuns([...stay(0, 0, NOON), ...stay(900, NOON, DAY)])
    expect((await world.try({ tz: 'Pacific/Auckland' })).nights).toBe(1)
    expect((await world.try({ tz: 'Europe/Berlin' })).nights).toBe(0)
  })

  test('positions before the period decide where the tracker was, but fire nothing', async () => {
    await using world = await startDryRuns([...stay(0, 0, NOON), ...stay(900, NOON, DAY), ...stay(0, 3 * DAY, 4 * DAY)])
    expect((await world.try({ trigger: 'enter', days: 19 })).total).toBe(1)
    expect((await world.try({ trigger: 'enter', days: 10 })).total).toBe(0)
    expect((await world.try({ days: 19 })).total).toBe(0)
  })

  test('a tracker without positions fires nothing', async () => {
    await using world = await startDryRuns([])
    expect(await world.try({})).toMatchObject({ total: 0, nights: 0, firings: [], devices: [misty], partial: false, advice: null })
  })

  test('a saved place is used with its own radius', async () => {
    await using world = await startDryRuns([])
    const { status, body } = await world.run({ place: SEED.places.home, trigger: 'leave' })
    expect([status, body.total]).toEqual([200, 0])
  })

  test('a vehicle alert would have fired when a parked vehicle started to move', async () => {
    await using world = await startDryRuns([])
    const { status, body } = await world.run({ devices: [familyCar], vehicle_alert: true })
    expect(status).toBe(200)
    expect(body.firings.length).toBeGreaterThan(0)
    expect(new Set(body.firings.map(({ kind }: { kind: string }) => kind))).toEqual(new Set(['vehicle_alert']))
    expect(body.advice).toBeNull()
  })

  test('a dry run saves no alert and changes no mode', async () => {
    await using world = await startDryRuns([])
    const read = async () => [
      (await world.portal.call(ALICE, 'GET', '/tracker_alerts/')).body,
      (await world.portal.call(ALICE, 'GET', `/devices/${SEED.devices.trailer}/tracker_config/`)).body,
    ]
    const before = await read()
    expect((await world.run({ devices: [SEED.devices.trailer], vehicle_alert: true })).status).toBe(200)
    expect(await read()).toEqual(before)
  })
})

describe('a shape instead of a circle', () => {
  const north = (meters: number) => CENTRE.lat + meters / METERS_PER_DEGREE
  const AREA = {
    type: 'polygon',
    points: [
      [north(-100), CENTRE.lng - 0.002],
      [north(-100), CENTRE.lng + 0.002],
      [north(300), CENTRE.lng + 0.002],
      [north(300), CENTRE.lng - 0.002],
    ],
  }
  const days = [...stay(0, 0, NOON), ...stay(250, NOON, DAY), ...stay(900, DAY, DAY + NOON)]

  test('leaving an area that is not saved fires where its edge is', async () => {
    await using world = await startDryRuns(days)
    const { firings, advice } = await world.try({ circle: null, shape: AREA })
    expect([firings.map(({ at }) => at), advice]).toEqual([[world.instant(DAY)], null])
  })

  test('leaving a way fires where its width ends', async () => {
    await using world = await startDryRuns(days)
    const way = { type: 'corridor', points: [AREA.points[0], [north(0), CENTRE.lng], [north(0), CENTRE.lng + 0.01]], width: 200 }
    expect((await world.try({ circle: null, shape: way })).firings.map(({ at }) => at)).toEqual([world.instant(NOON + 10)])
  })

  test('a shape that crosses itself, or beside a circle, is rejected', async () => {
    await using world = await startDryRuns([])
    const [a, b, c, d] = AREA.points
    const crossed = await world.run({ shape: { type: 'polygon', points: [a, c, b, d] }, trigger: 'leave' })
    expect([crossed.status, crossed.body.errors]).toEqual([400, { 'shape.points': ['Edges 1 and 3 cross or touch'] }])
    const both = await world.run({ shape: AREA, circle: CIRCLE, trigger: 'leave' })
    expect([both.status, Object.keys(both.body.errors)]).toEqual([400, ['shape']])
  })
})

describe('limits', () => {
  test('with too many positions a dry run covers fewer days and says so', async () => {
    await using world = await startDryRuns([])
    const { db } = world.portal.world
    const end = Math.floor(ANCHOR.getTime() / 1000)
    const point = { lat: toFixed7(CENTRE.lat), lng: toFixed7(CENTRE.lng), precision: 5, event: null, battery: null }
    const rows = Array.from({ length: 60_000 }, (_, index) => ({ time: end - index * 43, ...point }))
    await db.write('everything', (tx) => db.positions.add(tx, misty, rows))
    const run = await world.try({})
    expect([run.partial, run.days.length, run.devices]).toEqual([true, 15, [misty]])
  })
})

describe('rejected dry runs', () => {
  test('each bad field is named with its reason', async () => {
    await using world = await startDryRuns([])
    const errors = async (body: object) => {
      const { status, body: answer } = await world.run(body)
      return [status, answer.code, Object.keys(answer.errors ?? {})]
    }
    expect(await errors({ trigger: 'leave' })).toEqual([400, 'validation_error', ['place']])
    expect(await errors({ circle: CIRCLE })).toEqual([400, 'validation_error', ['trigger']])
    expect(await errors({ circle: CIRCLE, place: SEED.places.home, trigger: 'leave' })).toEqual([400, 'validation_error', ['circle']])
    expect(await errors({ circle: { ...CIRCLE, radius: 20 }, trigger: 'leave' })).toEqual([400, 'validation_error', ['circle.radius']])
    expect(await errors({ circle: CIRCLE, trigger: 'leave', days: 31 })).toEqual([400, 'validation_error', ['days']])
    expect(await errors({ circle: CIRCLE, trigger: 'leave', tz: 'Mars' })).toEqual([400, 'validation_error', ['tz']])
    expect(await errors({ devices: [999_999], circle: CIRCLE, trigger: 'leave' })).toEqual([400, 'validation_error', ['devices']])
    expect(await errors({ place: 999_999, trigger: 'leave' })).toEqual([400, 'validation_error', ['place']])
    expect(await errors({ vehicle_alert: true })).toEqual([400, 'vehicle_only', ['devices']])
  })

  test('a tracker of another account is rejected', async () => {
    await using world = await startDryRuns([])
    const foreign = await world.run({ circle: CIRCLE, trigger: 'leave' }, 'admin@pro.example.com')
    expect(foreign.status).toBe(400)
    expect(foreign.body.errors).toEqual({ devices: ['Names a tracker that is not yours'] })
  })
})

test('a rule about two trackers is tried on the positions of both, and needs exactly two', async () => {
  await using world = await startDryRuns(stay(0, 0, DAY))
  const { db } = world.portal.world
  const start = Date.parse(world.instant(0)) / 1000
  await db.write('everything', async (tx) => {
    await db.positions.remove(tx, familyCar)
    const visits = [...stay(0, 0, NOON), ...stay(900, NOON, DAY)]
    const rows = visits.map(([minute, meters]) => ({
      ...{ time: start + minute * 60, precision: 5, event: null, battery: null },
      ...{ lat: toFixed7(CENTRE.lat + meters / METERS_PER_DEGREE), lng: toFixed7(CENTRE.lng) },
    }))
    await db.positions.add(tx, familyCar, rows)
  })
  const rule = { kind: 'apart', meters: 500 }
  const { body } = await world.run({ devices: [familyCar, misty], rule })
  expect(body.firings).toMatchObject([{ device: misty, at: world.instant(NOON), kind: 'apart' }])
  expect([body.devices, body.partial, body.advice]).toEqual([[misty, familyCar].sort((a, b) => a - b), false, null])
  expect((await world.run({ rule })).body.errors).toEqual({ devices: ['The rule apart needs exactly two trackers'] })
})
