import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PositionRow } from '#db/positions.ts'
import type { PostgresDb } from '#db/postgres/open.ts'
import { openTestDatabase } from '#server/test/postgres/test-databases.ts'

let db: PostgresDb
beforeAll(async () => {
  db = await openTestDatabase('empty')
})
afterAll(() => db.close())

/** The same fixes are stored for a second tracker, many months later, where they are never packed. */
const LATER = 400 * 86_400
const START = Date.parse('2026-01-25T00:00:00Z') / 1000
const ENDED_BY = new Date('2026-03-01T00:00:00Z')
/** Two weeks around the end of January. */
const MINUTES = 20_160

const minute = fc.integer({ min: 0, max: MINUTES })
const value = fc.integer({ min: 0, max: 3 })
const Change = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('track' as const),
      at: minute,
      step: fc.integer({ min: 1, max: 20 }),
      count: fc.integer({ min: 1, max: 900 }),
      value,
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('pack' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('single' as const), at: fc.array(minute, { minLength: 1, maxLength: 4 }), value }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('remove' as const), at: fc.array(minute, { minLength: 1, maxLength: 4 }), value }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('removeUntil' as const), at: fc.integer({ min: 0, max: MINUTES / 4 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('judge' as const), at: minute, count: fc.integer({ min: 0, max: 60 }), value }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('mark' as const), at: minute, value }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('event' as const), at: minute, value }) },
)
type Change = typeof Change extends fc.Arbitrary<infer T> ? T : never
const Question = fc.record({
  at: minute,
  length: fc.integer({ min: 0, max: MINUTES }),
  limit: fc.integer({ min: 1, max: 700 }),
  offset: fc.integer({ min: 0, max: 2000 }),
})

/** One of the two trackers with the same fixes. */
function copyOf(deviceId: number, later: number) {
  const { positions } = db
  const second = (at: number) => START + later + at * 60
  const row = (at: number, value: number): PositionRow => ({
    time: second(at),
    lat: -349_000_000 + at * value,
    lng: -561_000_000 - at,
    precision: value * 10,
    event: value === 2 ? 1 : null,
    battery: value === 0 ? null : at % 100,
    speed: value === 1 ? null : at % 1000,
    course: value === 3 ? null : at % 360,
    altitude: value === 1 ? -at : null,
    mark: value === 0 ? null : value,
  })
  const plain = (rows: readonly (PositionRow | null)[]) => rows.map((each) => each && { ...each, time: each.time - START - later })
  return {
    change: (change: Change) =>
      db.write([], async (tx): Promise<unknown> => {
        if (change.kind === 'track')
          return positions.add(
            tx,
            deviceId,
            Array.from({ length: change.count }, (_, nth) => row(change.at + nth * change.step, (change.value + Math.floor(nth / 50)) % 4)),
          )
        if (change.kind === 'single')
          return positions.addAll(
            tx,
            change.at.map((at) => ({ deviceId, rows: [row(at, change.value), row(at + 1, change.value)] })),
          )
        if (change.kind === 'remove') return positions.removeAt(tx, deviceId, change.at.map(second))
        if (change.kind === 'removeUntil') return positions.removeUntil(tx, deviceId, second(change.at), 1_000_000)
        if (change.kind === 'judge')
          return positions.judge(tx, deviceId, second(change.at), second(change.at + change.count), change.value || null)
        if (change.kind === 'mark') return positions.mark(tx, deviceId, second(change.at), change.value || null)
        if (change.kind === 'event') return positions.setEvent(tx, deviceId, second(change.at), change.value)
        return undefined
      }),
    async ask({ at, length, limit, offset }: typeof Question extends fc.Arbitrary<infer T> ? T : never) {
      const period = [deviceId, second(at), second(at + length)] as const
      const columns = await positions.columns(...period, limit)
      const borders = (found: Awaited<ReturnType<typeof positions.neighbours>>) => found.map(({ before, after }) => plain([before, after]))
      return {
        page: plain(await positions.range(...period, limit, offset)),
        first: plain(await positions.range(...period, limit, 0)),
        columns: [columns.lat, columns.battery, columns.time.map((time) => time - START - later)],
        counts: [await positions.count(...period), await positions.believed.count(...period)],
        latest: plain([await positions.latest(...period), await positions.believed.latest(...period)]),
        believed: plain(await positions.believed.range(...period, limit, offset)),
        oldest: ((await positions.oldest(deviceId)) ?? START + later) - START - later,
        neighbours: borders(await positions.neighbours(deviceId, [second(at), second(at + length)])),
        inTx: await db.write([], async (tx) => [
          plain(await positions.rangeInTx(tx, ...period, limit)),
          plain([await positions.latestInTx(tx, deviceId, second(at + length))]),
          borders(await positions.neighboursInTx(tx, deviceId, [second(at)])),
        ]),
      }
    },
  }
}

let trackers = 0

test('every read and every change gives the same result for packed positions as for unpacked ones', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(Change, { minLength: 3, maxLength: 12 }),
      fc.array(Question, { minLength: 3, maxLength: 3 }),
      async (changes, questions) => {
        const [packed, plain] = [copyOf(++trackers, 0), copyOf(++trackers, LATER)]
        for (const change of changes) {
          expect([change, await packed.change(change)]).toEqual([change, await plain.change(change)])
          if (change.kind === 'pack') await db.packPositions!({ endedBy: ENDED_BY, goesOn: () => true })
        }
        for (const question of questions) expect(await packed.ask(question)).toEqual(await plain.ask(question))
      },
    ),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 12) },
  )
  const { rows } = await db.connections.pool.query('select count(*) as blocks from position_blocks')
  expect(rows[0].blocks).toBeGreaterThan(10)
})
