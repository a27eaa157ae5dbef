import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Db, MonthRemoval } from '#db/db.ts'
import type { PostgresDb } from '#db/postgres/open.ts'
import { devices } from '#db/schema/devices.ts'
import { daySummaries } from '#db/schema/positions.ts'
import { deviceLock } from '#db/scope.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { openTestDatabaseAgain } from '#server/test/postgres/test-databases.ts'
import { startPortal } from '#server/test/start-portal.ts'

const ALICE = 'alice@example.com'
const GEORGE = 'george@example.com'
const { rex, grandpa } = SEED.devices
const DAY = 86_400
const [JUNE, JULY, AUGUST] = ['2025-06-01', '2025-07-01', '2025-08-01'].map((day) => Date.parse(day) / 1000) as [number, number, number]
/** The days of Montevideo begin three hours after those of UTC. */
const BORDER = 3 * 3600 - DAY
const ENDED_BY = new Date(AUGUST * 1000)

type Portal = Awaited<ReturnType<typeof startPortal>>
const dbOf = (portal: Portal) => portal.world.db as unknown as PostgresDb
const query = async (db: PostgresDb, text: string, values: unknown[] = []) => (await db.connections.pool.query(text, values)).rows
const fix = (time: number) => ({ time, lat: -349_000_000 + (time % 1000), lng: -561_000_000, precision: 6, event: null, battery: 80 })
const times = (from: number, count: number, step = 3600) => Array.from({ length: count }, (_, nth) => from + nth * step)
const add = (db: Db, id: number, seconds: readonly number[]) => db.write(deviceLock(id), (tx) => db.positions.add(tx, id, seconds.map(fix)))
const listSeconds = async (db: Db, id: number) => (await db.positions.columns(id, JUNE, AUGUST - 1, 1_000_000)).time
const listTables = async (db: PostgresDb) =>
  (await query(db, "select relname as name from pg_class where relkind = 'r' and relname like 'positions_2025%' order by 1")).map(
    ({ name }) => name,
  )
const readVersion = (db: PostgresDb, id: number) => db.write([], (tx) => db.positions.changes(tx, id))

/** `needing` names the trackers that still need their positions. */
const remove = (db: Db, needing: number[] = [], onAsk: (ids: readonly number[]) => unknown = () => {}) => {
  const listNeeding: MonthRemoval['listNeeding'] = async (_, ids) => {
    await onAsk(ids)
    return ids.filter((id) => needing.includes(id))
  }
  return db.removeMonths!({ endedBy: ENDED_BY, listNeeding })
}

/** A portal whose trackers do not send, and have only these positions in June and July of the last year. */
async function startWith(rows: Record<number, readonly number[]>) {
  const portal = await startPortal()
  const db = dbOf(portal)
  await db.write('everything', (tx) => tx.update(devices).set({ identifier: null }))
  await query(db, 'delete from positions where time < $1', [AUGUST])
  for (const [id, seconds] of Object.entries(rows)) await add(db, Number(id), seconds)
  return { portal, db }
}

test('a month that no tracker needs is dropped with its table, and an empty partition takes late positions', async () => {
  const { portal, db } = await startWith({ [rex]: times(JUNE, 48), [grandpa]: times(JUNE + DAY, 48) })
  await using _ = portal
  const tables = await listTables(db)
  const [{ file }] = await query(db, "select pg_relation_filepath('positions_2025_06') as file")
  expect(await remove(db)).toBe(1)
  expect([await listSeconds(db, rex), await listSeconds(db, grandpa)]).toEqual([[], []])
  expect(await listTables(db)).toEqual(tables)
  expect(await query(db, "select pg_relation_filepath('positions_2025_06') as file")).not.toEqual([{ file }])
  await add(db, rex, [JUNE + 5])
  expect(await query(db, 'select * from only positions_2025_06')).toHaveLength(1)
  expect(await listSeconds(db, rex)).toEqual([JUNE + 5])
})

test('as long as one tracker needs a month, all of its rows stay', async () => {
  const { portal, db } = await startWith({ [rex]: times(JUNE, 48), [grandpa]: times(JUNE, 48) })
  await using _ = portal
  const asked: number[][] = []
  expect(await remove(db, [grandpa])).toBe(0)
  expect(await remove(db, [grandpa], (ids) => asked.push([...ids]))).toBe(0)
  // The second run asks about one tracker only: the one that still needed the month in the first run.
  expect(asked).toEqual([[grandpa]])
  expect(await listSeconds(db, rex)).toHaveLength(48)
  expect(await remove(db, [])).toBe(1)
  expect(await listSeconds(db, grandpa)).toEqual([])
})

test('the totals of removed days are removed, those at the border are computed again, and replicas see that positions changed', async () => {
  const { portal, db } = await startWith({ [rex]: times(JUNE, 24 * 40) })
  await using _ = portal
  await portal.call(ALICE, 'GET', `/devices/${rex}/days/?from=2025-06-20&to=2025-07-08`)
  const before = await readVersion(db, rex)
  await db.removeMonths!({ endedBy: new Date(JULY * 1000), listNeeding: async () => [] })
  const rows = await db.read.select().from(daySummaries).where(eq(daySummaries.deviceId, rex))
  expect(rows.filter(({ end }) => end <= JULY)).toEqual([])
  expect(
    rows
      .filter(({ isStale }) => isStale)
      .map(({ start }) => start - JULY)
      .sort((a, b) => a - b),
  ).toEqual([BORDER, BORDER + DAY])
  expect(rows.filter(({ isStale }) => !isStale).length).toBeGreaterThan(2)
  expect(await readVersion(db, rex)).toBeGreaterThan(before)
})

test('a removal restores all columns of positions whose owner turns off the retention while it runs', async () => {
  const { portal, db } = await startWith({ [rex]: times(JUNE, 700), [grandpa]: times(JUNE, 48) })
  await using _ = portal
  await db.write(deviceLock(rex), (tx) => db.positions.mark(tx, rex, JUNE, 1))
  const before = [await db.positions.range(rex, JUNE, AUGUST, 1000, 0), await readVersion(db, rex)] as const
  const needing: number[] = []
  // The first look finds that nothing is needed.
  expect(await remove(db, needing, () => setImmediate(() => needing.push(rex)))).toBe(1)
  expect(await db.positions.range(rex, JUNE, AUGUST, 1000, 0)).toEqual(before[0])
  expect(await readVersion(db, rex)).toBeGreaterThan(before[1])
  expect(await listSeconds(db, grandpa)).toEqual([])
  expect(await listTables(db)).not.toContain('positions_2025_06_removed')
})

test('the next run, also on another server, finishes an interrupted removal', async () => {
  const { portal, db } = await startWith({ [rex]: times(JUNE, 48) })
  await using _ = portal
  const before = await readVersion(db, rex)
  let looks = 0
  const failing = remove(db, [], () => {
    if (++looks === 2) throw new Error('The server stops.')
  })
  await expect(failing).rejects.toThrow('The server stops.')
  expect(await listTables(db)).toContain('positions_2025_06_removed')
  expect([await listSeconds(db, rex), await readVersion(db, rex)]).toEqual([[], before])
  await add(db, grandpa, [JUNE + 7])
  const other = await openTestDatabaseAgain(portal.world.db)
  expect(await remove(other, [grandpa])).toBe(0)
  await other.close()
  expect(await listTables(db)).not.toContain('positions_2025_06_removed')
  expect(await readVersion(db, rex)).toBeGreaterThan(before)
  expect(await listSeconds(db, grandpa)).toEqual([JUNE + 7])
})

test('a removal waits for a long transaction without blocking messages', async () => {
  const { portal, db } = await startWith({ [rex]: times(JUNE, 48) })
  await using _ = portal
  const reader = await db.connections.pool.connect()
  await reader.query('begin; select 1 from positions limit 1')
  let isRemoved = false
  const removing = remove(db).then((removed) => {
    isRemoved = true
    return removed
  })
  const waits: number[] = []
  for (let nth = 0; nth < 20; nth++) {
    const begin = performance.now()
    await add(db, rex, [AUGUST + 30 * DAY + nth])
    waits.push(performance.now() - begin)
  }
  expect([isRemoved, await listSeconds(db, rex)]).toEqual([false, times(JUNE, 48)])
  // The statement that changes the tables gives up after a tenth of a second.
  expect(Math.max(...waits)).toBeLessThan(5000)
  await reader.query('commit')
  reader.release()
  expect([await removing, await listSeconds(db, rex)]).toEqual([1, []])
})

test('a late position that is not yet committed when its month is removed is stored if it is needed', async () => {
  const { portal, db } = await startWith({ [rex]: times(JUNE, 48) })
  await using _ = portal
  const other = await openTestDatabaseAgain(portal.world.db)
  const removing = await db.write(deviceLock(grandpa), async (tx) => {
    await db.positions.add(tx, grandpa, [fix(JUNE + 9)])
    const removal = remove(other, [grandpa])
    const isWaiting =
      "select 1 from pg_stat_activity where datname = current_database() and query like 'alter table positions detach%' and wait_event_type = 'Lock'"
    await expect.poll(() => query(db, isWaiting), { interval: 5 }).toHaveLength(1)
    return { removal }
  })
  expect(await removing.removal).toBe(1)
  await other.close()
  expect([await listSeconds(db, grandpa), await listSeconds(db, rex)]).toEqual([[JUNE + 9], []])
})

test('the daily removal takes a month as a whole once it is past the retention of all accounts with positions there', async () => {
  const { portal, db } = await startWith({ [rex]: times(JUNE, 24 * 30) })
  await using _ = portal
  const [other] = (await portal.call(GEORGE, 'GET', '/devices/?type=tracker')).body as { id: number }[]
  await add(db, other!.id, times(JUNE + 5 * DAY, 24))
  const fileOf = async () => (await query(db, "select pg_relation_filepath('positions_2025_06') as file"))[0].file
  const file = await fileOf()
  const advance = (by: string) => portal.call(null, 'POST', '/mock/clock/advance', { by })
  await portal.call(ALICE, 'PUT', '/users/retention/', { days: 180 })
  await advance('P1DT1H')
  expect([await listSeconds(db, rex), (await listSeconds(db, other!.id)).length, await fileOf()]).toEqual([[], 24, file])

  await add(db, rex, times(JUNE + 60, 5))
  await portal.call(GEORGE, 'PUT', '/users/retention/', { days: 90 })
  await advance('PT22H')
  // The first removal is a day after the choice.
  expect([(await listSeconds(db, other!.id)).length, await fileOf()]).toEqual([24, file])
  await advance('PT3H')
  expect([await listSeconds(db, rex), await listSeconds(db, other!.id)]).toEqual([[], []])
  expect(await fileOf()).not.toBe(file)
  expect((await portal.call(GEORGE, 'GET', '/users/retention/')).body.removed_before).toMatch(/^2025-12/)
})
