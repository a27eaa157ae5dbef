import { describe, expect, test } from 'vitest'
import type { AlertRule } from '#contracts/alerts.ts'
import { toFixed7 } from '#db/positions.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { CENTRE, CIRCLE, DAY, startDryRuns, stay } from './test-dry-run.ts'

const { misty, familyCar } = SEED.devices

describe('advice about a border', () => {
  const shortWalks = (meters: number) =>
    [1, 2, 3, 4].flatMap((hour) => [
      ...stay(0, hour * 60, hour * 60 + 50),
      [hour * 60 + 50, meters] as const,
      [hour * 60 + 55, meters] as const,
    ])

  test('the smallest radius is proposed with which short visits just outside fire nothing, and the long one still does', async () => {
    await using world = await startDryRuns([...stay(0, 0, 60), ...shortWalks(262), ...stay(0, 300, 360), ...stay(900, 360, 720)])
    const { total, advice } = await world.try({})
    expect(total).toBe(5)
    expect(advice).toEqual({ radius: 250, total: 1, nights: 0 })
    expect((await world.try({ circle: { ...CIRCLE, radius: 250 } })).total).toBe(1)
  })

  test('a smaller radius is proposed where trackers only pass by', async () => {
    await using world = await startDryRuns([
      ...stay(900, 0, 60),
      ...[1, 2, 3].flatMap((hour) => [[hour * 60, 160] as const, ...stay(900, hour * 60 + 10, hour * 60 + 60)]),
      ...stay(0, 240, 400),
    ])
    const { total, advice } = await world.try({ trigger: 'enter' })
    expect(total).toBe(4)
    expect(advice?.radius).toBeLessThan(200)
    expect(advice?.total).toBe(1)
  })

  test('for a way its width is proposed, and for an area a border further out', async () => {
    await using world = await startDryRuns([...stay(0, 0, 60), ...shortWalks(262), ...stay(0, 300, 360), ...stay(900, 360, 720)])
    const east = CENTRE.lng + 0.05
    const points = [
      [CENTRE.lat, CENTRE.lng - 0.05],
      [CENTRE.lat, east],
    ]
    const tryWay = (width: number) => world.try({ circle: null, shape: { type: 'corridor', points, width } })
    const { total, advice } = await tryWay(200)
    expect([total, advice]).toEqual([5, { radius: expect.any(Number), width: 250, total: 1, nights: 0 }])
    expect((await tryWay(250)).total).toBe(1)
    const [south, north] = [CENTRE.lat - 0.0018, CENTRE.lat + 0.0018]
    const area = [
      [south, CENTRE.lng - 0.05],
      [south, east],
      [north, east],
      [north, CENTRE.lng - 0.05],
    ]
    const run = await world.try({ circle: null, shape: { type: 'polygon', points: area } })
    expect([run.total, run.advice?.margin, run.advice?.total]).toEqual([5, 50, 1])
    expect((await world.try({ circle: null, shape: run.advice?.shape })).total).toBe(1)
  })

  test('there is no advice if visits outside are far or long, or if it happened once', async () => {
    await using far = await startDryRuns([...stay(0, 0, 60), ...shortWalks(700), ...stay(0, 300, 360)])
    expect(await far.try({})).toMatchObject({ total: 4, advice: null })
    await using once = await startDryRuns([...stay(0, 0, 60), [60, 262], [65, 262], ...stay(0, 70, 360)])
    expect(await once.try({})).toMatchObject({ total: 1, advice: null })
  })
})

type Visits = Parameters<typeof startDryRuns>[0]

/** Fifteen kilometres there and back, so that the tracker is faster than 60 km/h for so many minutes. */
const drive = (from: number, minutes: number): Visits => [
  ...Array.from({ length: minutes + 1 }, (_, minute) => [from + minute, minute * 1500] as const),
  ...stay(minutes * 1500, from + minutes + 1, from + minutes + 200),
]

/** Stays of so many minutes, each somewhere else. */
const stays = (minutes: readonly number[]): Visits => {
  let start = 0
  return minutes.flatMap((length, nth) => {
    const some = stay(nth % 2 === 0 ? 5000 : 9000, start, start + length + 1)
    start += length + 10
    return some
  })
}

/** Days on which the tracker comes home at these minutes, which are three hours earlier for its owner. */
const arrivals = (minutes: readonly number[]): Visits =>
  minutes.flatMap((minute, day) => [...stay(900, day * DAY, day * DAY + minute), ...stay(0, day * DAY + minute, (day + 1) * DAY)])

/** The other tracker of a pair stays in the middle for two days. */
async function keepInMiddle({ portal, instant }: Awaited<ReturnType<typeof startDryRuns>>) {
  const start = Date.parse(instant(0)) / 1000
  const { db } = portal.world
  await db.write('everything', async (tx) => {
    await db.positions.remove(tx, familyCar)
    const rows = stay(0, 0, 2 * DAY).map(([minute]) => ({
      ...{ time: start + minute * 60, precision: 5, event: null, battery: null },
      ...{ lat: toFixed7(CENTRE.lat), lng: toFixed7(CENTRE.lng) },
    }))
    await db.positions.add(tx, familyCar, rows)
  })
}

/** In the middle, and so many metres away for a moment in the middle of each two hours. */
const hours = (meters: readonly number[]): Visits =>
  meters.flatMap((far, hour) => [
    ...stay(0, hour * 120, hour * 120 + 60),
    [hour * 120 + 60, far] as const,
    ...stay(0, hour * 120 + 70, hour * 120 + 120),
  ])

/** Far away, and so many metres from the middle for a moment in each two hours; where it was nearest it stays for an hour. */
const meetings = (meters: readonly number[]): Visits =>
  meters.flatMap((near, hour) => [
    ...stay(3000, hour * 120, hour * 120 + 60),
    ...(near < 100 ? stay(near, hour * 120 + 60, hour * 120 + 110) : [[hour * 120 + 60, near] as const]),
    ...stay(3000, hour * 120 + (near < 100 ? 110 : 70), hour * 120 + 120),
  ])

const RULES: { name: string; visits: Visits; rule: AlertRule; advised: AlertRule; totals: [number, number]; body?: object }[] = [
  {
    name: 'a longer stay, if it drove on soon after two alerts',
    visits: stays([60, 60, 200, 60]),
    rule: { kind: 'stands', minutes: 60 },
    advised: { kind: 'stands', minutes: 75 },
    totals: [4, 2],
  },
  {
    name: 'more seconds, if it was too fast for a moment',
    visits: [...drive(0, 1), ...drive(300, 1), ...drive(600, 9), ...drive(900, 1)],
    rule: { kind: 'speed', over: 60, seconds: 30 },
    advised: { kind: 'speed', over: 60, seconds: 65 },
    totals: [4, 1],
  },
  {
    name: 'a later time, if it arrived some minutes too late',
    visits: arrivals([600, 700, 700, 700, 900]),
    rule: { kind: 'not_arrived', by: '08:35' },
    advised: { kind: 'not_arrived', by: '08:45' },
    totals: [4, 1],
    body: { circle: CIRCLE },
  },
]

describe('advice about a rule', () => {
  test.each(RULES)('is $name', async ({ visits, rule, advised, totals, body }) => {
    await using world = await startDryRuns(visits)
    const tryRule = async (tried: AlertRule) => (await world.run({ rule: tried, ...body })).body
    const run = await tryRule(rule)
    expect([run.total, run.rule_advice, run.advice]).toEqual([
      totals[0],
      { rule: advised, total: totals[1], nights: expect.any(Number) },
      null,
    ])
    const { rule: _, ...counts } = run.rule_advice
    expect(await tryRule(advised)).toMatchObject(counts)
  })

  const PAIRS: { name: string; meters: readonly number[]; rule: AlertRule; advised: AlertRule; totals: [number, number] }[] = [
    {
      name: 'more metres, if two trackers were only just apart',
      meters: [640, 640, 2000, 640, 640],
      rule: { kind: 'apart', meters: 500 },
      advised: { kind: 'apart', meters: 640 },
      totals: [5, 1],
    },
    {
      name: 'fewer metres, if two trackers came only just near each other',
      meters: [440, 440, 50, 440, 440],
      rule: { kind: 'together', meters: 500 },
      advised: { kind: 'together', meters: 440 },
      totals: [5, 1],
    },
  ]

  test.each(PAIRS)('is $name', async ({ meters, rule, advised, totals }) => {
    await using world = await startDryRuns(rule.kind === 'apart' ? hours(meters) : meetings(meters))
    await keepInMiddle(world)
    const tryRule = async (tried: AlertRule) => (await world.run({ devices: [misty, familyCar], rule: tried })).body
    const { total, rule_advice } = await tryRule(rule)
    expect([total, rule_advice]).toEqual([totals[0], { rule: advised, total: totals[1], nights: expect.any(Number) }])
    expect((await tryRule(advised)).total).toBe(totals[1])
  })

  test('is absent if what the alert fired for lasted, and for a rule without a value', async () => {
    await using world = await startDryRuns(stays([200, 200, 200, 200]))
    const { total, rule_advice } = (await world.run({ rule: { kind: 'stands', minutes: 60 } })).body
    expect([total, rule_advice]).toEqual([4, null])
    expect((await world.run({ rule: { kind: 'moved' } })).body.rule_advice).toBeNull()
  })
})
