import { expect, test } from 'vitest'
import type { PostgresDb } from '#db/postgres/open.ts'
import { RUNS, report } from '#server/test/postgres/fault-runs.ts'
import { openTestDatabase } from '#server/test/postgres/test-databases.ts'
import { createInstallation } from '#server/test/test-process.ts'

const FEBRUARY = Date.parse('2026-02-01T00:00:00Z') / 1000
const ENDED_BY = '2026-03-01T00:00:00Z'
const TRACKERS = [71, 72, 73]
const KILLS = RUNS || 3
/** A packer is killed at most this long after its first run. */
const MAX_LIFE_MS = 150
/** Positions of a tracker at the beginning: four a minute, so that late ones fit between them. */
const MANY = 3000

const fix = (time: number, value: number) => ({
  time,
  lat: -349_000_000 + (time % 1000),
  lng: -561_000_000,
  precision: value,
  event: null,
  battery: null,
  speed: value % 3 === 0 ? null : value,
  course: null,
  altitude: value - 50,
  mark: null,
})
type Row = ReturnType<typeof fix>
const add = (db: PostgresDb, id: number, rows: Row[]) => db.write([`account:${id}`], (tx) => db.positions.add(tx, id, rows))

test('a packer that is killed at random moments, while late positions change its blocks, leaves each position once with equal columns', {
  timeout: RUNS ? 3_600_000 : 300_000,
}, async () => {
  using installed = await createInstallation()
  const db = await openTestDatabase('empty')
  const expected = new Map<number, Row[]>()
  for (const id of TRACKERS) {
    const rows = Array.from({ length: MANY }, (_, nth) => fix(FEBRUARY + nth * 15, nth % 50))
    expected.set(id, rows)
    await add(db, id, rows)
  }
  let late = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const packer = installed.start('server/jobs/test-entry-pack.ts', {}, [db.connections.pool.options.connectionString!, ENDED_BY])
    await packer.says('packed')
    const end = performance.now() + Math.random() * MAX_LIFE_MS
    do {
      const id = TRACKERS[late % TRACKERS.length]!
      const row = fix(FEBRUARY + ((late * 997) % MANY) * 15 + 1 + (late % 14), 60 + (late % 40))
      if ((await add(db, id, [row])) === 1) expected.get(id)!.push(row)
      late++
    } while (performance.now() < end)
    packer.signal('SIGKILL')
    await packer.ended
  }
  // The database rolls back what the killed process had begun.
  await expect.poll(async () => (await db.connections.pool.query(OTHERS)).rows, { interval: 20 }).toEqual([])
  report(`${KILLS} kills, ${late} late positions`)
  expect((await db.connections.pool.query('select 1 from position_blocks limit 1')).rows).toHaveLength(1)
  for (const id of TRACKERS) {
    const rows = expected.get(id)!.sort((a, b) => a.time - b.time)
    expect(await db.positions.range(id, 0, FEBRUARY * 2, 1_000_000, 0)).toEqual(rows)
    const counted = `select (select count(*) from positions where device_id = $1) + (select coalesce(sum(count), 0) from position_blocks where device_id = $1) as n`
    expect((await db.connections.pool.query(counted, [id])).rows).toEqual([{ n: rows.length }])
  }
  await db.close()
})

const OTHERS = `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`
