import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { PostgresDb } from '#db/postgres/open.ts'
import { daySummaries } from '#db/schema/positions.ts'
import { publicLinks } from '#db/schema/sharing.ts'
import { deviceLock } from '#db/scope.ts'
import { unpackAll } from '#server/jobs/pack-positions.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { openTestDatabaseAgain } from '#server/test/postgres/test-databases.ts'
import { startPortal } from '#server/test/start-portal.ts'

const ALICE = 'alice@example.com'
const { rex, stolenScooter } = SEED.devices
const FEBRUARY = Date.parse('2026-02-01T00:00:00Z') / 1000
const MARCH = Date.parse('2026-03-01T00:00:00Z') / 1000
const DAY = 86_400

type Portal = Awaited<ReturnType<typeof startPortal>>
const dbOf = (portal: Portal) => portal.world.db as unknown as PostgresDb
const pack = (db: PostgresDb) => db.packPositions!({ endedBy: new Date(MARCH * 1000), goesOn: () => true })
const readValue = async (db: PostgresDb, sql: string) => Object.values((await db.connections.pool.query(sql)).rows[0])[0] as number
const countRows = (db: PostgresDb, id: number) =>
  readValue(db, `select count(*) from positions where device_id = ${id} and time < ${MARCH}`)
const countPacked = (db: PostgresDb, id: number) =>
  readValue(db, `select coalesce(sum(count), 0) from position_blocks where device_id = ${id}`)
const fix = (time: number) => ({ time, lat: -349_000_000 + (time % 1000), lng: -561_000_000, precision: 6, event: null, battery: 80 })
const times = (from: number, count: number, step = 60) => Array.from({ length: count }, (_, nth) => from + nth * step)
const add = (db: PostgresDb, id: number, seconds: readonly number[]) =>
  db.write(deviceLock(id), (tx) => db.positions.add(tx, id, seconds.map(fix)))
const listSeconds = async (db: PostgresDb, id: number) => (await db.positions.columns(id, FEBRUARY - 365 * DAY, MARCH - 1, 1_000_000)).time

/** Everything that the API answers about the positions of the last weeks. */
async function readAnswers(portal: Portal) {
  await portal.world.db.write('everything', (tx) => tx.delete(daySummaries))
  const period = 'not_before=2026-02-10T06:30:00Z&not_after=2026-02-24T18:00:00Z'
  const [link] = await portal.world.db.read.select().from(publicLinks).where(eq(publicLinks.deviceId, rex))
  const urls = [
    ...[1, 2, 3].map((page) => `/devices/${rex}/tracker_data/?${period}&page=${page}`),
    ...['track', 'export_csv'].map((name) => `/devices/${rex}/tracker_data/${name}/?${period}`),
    ...['gpx', 'kml', 'geojson', 'csv'].map((format) => `/devices/${rex}/tracker_data/export/?${period}&format=${format}`),
    `/devices/${rex}/days/?from=2026-02-01&to=2026-02-28`,
    `/devices/${rex}/days/borders/?${period}`,
    `/devices/${rex}/ways/?from=2026-02-01&to=2026-02-28`,
    `/devices/${stolenScooter}/theft_form/`,
    `/tracker_public_share_links/${link!.uuid}/`,
  ]
  const answers: [string, number, string][] = []
  const headers = { authorization: `Bearer ${await portal.token(ALICE)}` }
  for (const url of urls) {
    const { statusCode, rawPayload } = await portal.app.inject({ url, headers })
    answers.push([url, statusCode, rawPayload.toString('latin1')])
  }
  const circle = { lat: -34.9, lng: -56.16, radius: 500 }
  const tried = await portal.call(ALICE, 'POST', '/tracker_alerts/dry_run/', { devices: [rex], tz: 'UTC', circle, trigger: 'leave' })
  return [...answers, ['dry run', tried.status, JSON.stringify(tried.body)]]
}

test('pages, tracks, files, days, ways, links, the form for the police and dry runs answer the same after packing', async () => {
  await using portal = await startPortal()
  const before = await readAnswers(portal)
  expect(before.filter(([, status]) => status !== 200)).toEqual([])
  const stored = await countRows(dbOf(portal), rex)
  expect(await pack(dbOf(portal))).toBeGreaterThan(stored)
  expect([await countRows(dbOf(portal), rex), await countPacked(dbOf(portal), rex)]).toEqual([0, stored])
  expect(await readAnswers(portal)).toEqual(before)
})

test('removing the positions of a tracker removes its packed ones', async () => {
  await using portal = await startPortal()
  await pack(dbOf(portal))
  await portal.world.db.write('everything', (tx) => portal.world.positions.remove(tx, rex))
  expect([await countPacked(dbOf(portal), rex), await dbOf(portal).positions.oldest(rex)]).toEqual([0, null])
})

test('the retention of an account removes packed positions to the second', async () => {
  await using portal = await startPortal()
  const db = dbOf(portal)
  const seconds = times(FEBRUARY, 28 * 24 * 4, 15 * 60)
  await db.write('everything', (tx) => db.positions.remove(tx, rex))
  await add(db, rex, seconds)
  await pack(db)
  const border = FEBRUARY + 9 * DAY + 30
  await db.write(deviceLock(rex), async (tx) => {
    expect(await db.positions.removeUntil(tx, rex, border, 100)).toBeGreaterThanOrEqual(100)
    expect(await db.positions.removeUntil(tx, rex, border, 100_000)).toBeGreaterThan(0)
    expect(await db.positions.removeUntil(tx, rex, border, 100_000)).toBe(0)
  })
  expect(await listSeconds(db, rex)).toEqual(seconds.filter((second) => second > border))
})

test('late positions around packed ones are packed into blocks that do not overlap', async () => {
  await using portal = await startPortal()
  const db = dbOf(portal)
  await db.write('everything', (tx) => db.positions.remove(tx, rex))
  const [first, late, more] = [times(FEBRUARY + DAY, 1200), times(FEBRUARY + 30, 3, 10 * DAY), times(FEBRUARY + DAY + 30, 2, 600)]
  for (const seconds of [first, late, more]) {
    await add(db, rex, seconds)
    await pack(db)
  }
  const all = [...first, ...late, ...more].sort((a, b) => a - b)
  expect([await listSeconds(db, rex), await countPacked(db, rex)]).toEqual([all, all.length])
  const overlaps = `select count(*) from position_blocks one join position_blocks other using (device_id)
    where one.first_time < other.first_time and one.last_time >= other.first_time`
  expect(await readValue(db, overlaps)).toBe(0)
})

test('two servers that pack at the same time pack each position once', async () => {
  await using portal = await startPortal()
  const [one, other] = [dbOf(portal), await openTestDatabaseAgain(portal.world.db)]
  const seconds = await listSeconds(one, rex)
  const all = await readValue(one, `select count(*) from positions where time < ${MARCH} and tableoid <> 'positions_other'::regclass`)
  const packed = await Promise.all([pack(one), pack(other)])
  const rest = await pack(other)
  expect(packed[0]! + packed[1]! + rest).toBe(all)
  expect(await listSeconds(one, rex)).toEqual(seconds)
  await other.close()
})

test('a packer that is killed in the middle of a transaction loses nothing, and the next run packs its positions', async () => {
  await using portal = await startPortal()
  const db = dbOf(portal)
  const seconds = await listSeconds(db, rex)
  const blocker = await db.connections.pool.connect()
  await blocker.query('begin; lock table position_blocks in exclusive mode')
  const packing = pack(db).then(
    () => 'packed',
    () => 'killed',
  )
  const KILL = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like 'insert into position_blocks%'`
  await expect.poll(async () => (await db.connections.pool.query(KILL)).rowCount, { timeout: 30_000 }).toBe(1)
  expect(await packing).toBe('killed')
  await blocker.query('rollback')
  blocker.release()
  expect(await countPacked(db, rex)).toBe(0)
  expect(await listSeconds(db, rex)).toEqual(seconds)
  expect(await pack(db)).toBeGreaterThan(seconds.length)
  expect(await listSeconds(db, rex)).toEqual(seconds)
})

test('messages, deletions and readers during packing see and leave exactly the positions they should', async () => {
  await using portal = await startPortal()
  const db = dbOf(portal)
  await db.write('everything', (tx) => db.positions.remove(tx, rex))
  const steady = times(FEBRUARY, 3000)
  await add(db, rex, steady)
  let isOver = false
  const packer = (async () => {
    while (!isOver) await pack(db)
  })()
  const reader = (async () => {
    while (!isOver) {
      const [from, to] = [FEBRUARY, FEBRUARY + 2999 * 60]
      const found = (await db.positions.columns(rex, from, to, 10_000)).time.filter((second) => second % 60 === 0)
      expect(found).toEqual(steady)
      expect((await db.positions.range(rex, from, to, 1, 0))[0]?.time).toBe(FEBRUARY)
    }
  })()
  for (let nth = 0; nth < 25; nth++) {
    await add(db, rex, [FEBRUARY + nth * 5000 + 30, FEBRUARY + nth * 5000 + 31])
    await db.write(deviceLock(rex), (tx) => db.positions.removeAt(tx, rex, [FEBRUARY + nth * 5000 + 31]))
  }
  isOver = true
  await Promise.all([packer, reader])
  const late = Array.from({ length: 25 }, (_, nth) => FEBRUARY + nth * 5000 + 30)
  expect(await listSeconds(db, rex)).toEqual([...steady, ...late].sort((a, b) => a - b))
})

test('packing a month returns its disk space, and the server can stop a run', async () => {
  await using portal = await startPortal()
  const db = dbOf(portal)
  await add(db, rex, times(FEBRUARY, 20_000, 101))
  const seconds = await listSeconds(db, rex)
  expect(await db.packPositions!({ endedBy: new Date(MARCH * 1000), goesOn: () => false })).toBe(0)
  expect(await db.packPositions!({ endedBy: new Date((MARCH - 1) * 1000), goesOn: () => true })).toBeGreaterThan(0)
  expect(
    await readValue(db, `select count(*) from positions where device_id = ${rex} and time >= ${FEBRUARY} and time < ${MARCH}`),
  ).toBeGreaterThan(20_000)
  const before = await readValue(db, "select pg_total_relation_size('positions_2026_02')")
  await pack(db)
  await expect
    .poll(
      async () => {
        await pack(db)
        return readValue(db, "select pg_total_relation_size('positions_2026_02')")
      },
      { timeout: 30_000 },
    )
    .toBeLessThan(100_000)
  expect(before).toBeGreaterThan(1_000_000)
  expect(await listSeconds(db, rex)).toEqual(seconds)
})

test('the operator unpacks all positions, and a second run finishes an interrupted one', async () => {
  await using portal = await startPortal()
  const db = dbOf(portal)
  await add(db, rex, times(FEBRUARY - 40 * DAY, 15_000, 37))
  const rows = await db.positions.range(rex, FEBRUARY - 365 * DAY, MARCH, 100_000, 0)
  const version = await db.write([], (tx) => db.positions.changes(tx, rex))
  await pack(db)
  const packed = await readValue(db, 'select sum(count) from position_blocks')
  const stopped = db.unpackPositions!(() => {
    throw new Error('The program ends.')
  })
  await expect(stopped).rejects.toThrow('The program ends.')
  const left = await readValue(db, 'select sum(count) from position_blocks')
  expect([left > 0, left < packed]).toEqual([true, true])
  const lines: string[] = []
  await unpackAll(db, (line) => lines.push(line))
  expect(lines).toEqual([`${left} of ${left} positions unpacked`, 'Nothing is packed.'])
  expect(await readValue(db, 'select count(*) from position_blocks')).toBe(0)
  expect(await db.positions.range(rex, FEBRUARY - 365 * DAY, MARCH, 100_000, 0)).toEqual(rows)
  expect(await db.write([], (tx) => db.positions.changes(tx, rex))).toBe(version)
})

test('while positions are unpacked no server packs, and while a server packs none are unpacked', async () => {
  await using portal = await startPortal()
  const [db, other] = [dbOf(portal), await openTestDatabaseAgain(portal.world.db)]
  await pack(db)
  const packedMeanwhile: number[] = []
  await db.unpackPositions!(async () => packedMeanwhile.length > 0 || packedMeanwhile.push(await pack(other)))
  expect(packedMeanwhile).toEqual([0])
  const packer = await db.connections.pool.connect()
  await packer.query('begin; select pg_advisory_xact_lock(7326042)')
  await expect(db.unpackPositions!(() => {})).rejects.toThrow('A server packs positions.')
  await packer.query('commit')
  packer.release()
  await other.close()
})
