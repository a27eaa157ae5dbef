import { execFile } from 'node:child_process'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate, openPostgres } from '#db/postgres/open.ts'
import { createEmptyDatabase } from '#server/test/postgres/test-databases.ts'
import { findProgram } from '#server/test/test-process.ts'

/**
 * Stands in for Citus, which the tests have not: its catalogue and functions as its documentation describes them. Tables stay where they are.
 * Like Citus, it refuses a table with a foreign key to one that is not distributed.
 */
const STAND_IN = `
  create table citus_tables (table_name regclass, citus_table_type text, distribution_column text, colocation_id int, shard_count int);
  create table calls (text text);
  create table nodes (node_name text, node_port int);
  insert into nodes values ('worker1', 5432), ('worker2', 5432);
  create function citus_get_active_worker_nodes() returns setof nodes language sql as 'select * from nodes';
  create function truncate_local_data_after_distributing_table(regclass) returns void language sql as
    $$ insert into calls values ('truncate ' || $1) $$;
  create function create_distributed_table(name regclass, key text, colocate_with text default 'default', shard_count int default 32)
    returns void language plpgsql as $$ begin
      if exists (select from pg_constraint where conrelid = name and contype = 'f') then
        raise 'cannot create foreign key constraint since relations are not colocated'; end if;
      if name::text = current_setting('test.broken', true) then raise 'connection to the remote node worker2:5432 failed'; end if;
      insert into calls values (name || ' by ' || key || ' with ' || colocate_with);
      insert into citus_tables select name, 'distributed', key, case colocate_with when 'none' then 7
        else (select colocation_id from citus_tables where table_name = colocate_with::regclass) end, shard_count;
    end $$`

let database: Awaited<ReturnType<typeof createEmptyDatabase>>
let client: pg.Client
beforeEach(async () => {
  database = await createEmptyDatabase()
  client = new pg.Client(database.url)
  await client.connect()
})
afterEach(async () => {
  await client.end()
  await database.remove()
})

async function prepare(...more: string[]) {
  const db = await openPostgres(database.url)
  await migrate(db, new Date())
  await db.close()
  for (const sql of [STAND_IN, ...more]) await client.query(sql)
}

const run = async (...args: string[]) => {
  const program = await findProgram('server/distribute.ts')
  return new Promise<{ code: number; out: string }>((resolve) => {
    const env = { PATH: process.env.PATH, DATABASE_URL: database.url }
    execFile(process.execPath, [program, ...args], { env }, (error, out, err) => resolve({ code: error ? 1 : 0, out: out + err }))
  })
}
const listCalls = async () => (await client.query<{ text: string }>('select text from calls')).rows.map(({ text }) => text)

test('a dry run says what would be distributed, and changes nothing', async () => {
  await prepare()
  expect(await run('--dry-run', '--shards=16')).toEqual({
    code: 0,
    out: `Workers: worker1:5432, worker2:5432. Shards: 16.
positions: 0 rows would be distributed by tracker
position_changes: 0 rows would be distributed by tracker
position_blocks: 0 rows would be distributed by tracker
day_summaries: 0 rows would be distributed by tracker, without the foreign key day_summaries_device_id_devices_id_fk
`,
  })
  expect(await listCalls()).toEqual([])
})

test('all tables that grow with positions are distributed by tracker, and a second run changes nothing', async () => {
  await prepare()
  const last = 'Distributed over 2 workers in 16 shards. Start the servers.\n'
  expect(await run('--shards=16')).toEqual({ code: 0, out: expect.stringContaining(last) })
  const made = (await listCalls()).filter((text) => !text.startsWith('truncate'))
  expect(made).toEqual([
    'positions by device_id with none',
    'position_changes by device_id with positions',
    'position_blocks by device_id with positions',
    'day_summaries by device_id with positions',
  ])
  expect(await run()).toEqual({ code: 0, out: expect.stringContaining(last) })
  expect((await listCalls()).filter((text) => !text.startsWith('truncate'))).toEqual(made)
})

test('a run that failed at a table continues with it', async () => {
  await prepare(`alter database ${new URL(database.url).pathname.slice(1)} set test.broken = 'position_blocks'`)
  expect(await run()).toEqual({ code: 1, out: expect.stringContaining('worker2:5432 failed') })
  await client.query(`alter database ${new URL(database.url).pathname.slice(1)} reset test.broken`)
  expect(await run('--dry-run')).toEqual({
    code: 0,
    out: expect.stringContaining('position_changes: already distributed\nposition_blocks: 0 rows'),
  })
  expect((await run()).code).toBe(0)
  expect((await client.query('select table_name from citus_tables')).rows).toHaveLength(4)
})

test.each([
  ['without Citus', 'drop table citus_tables', 'has no Citus'],
  ['without workers', 'delete from nodes', 'has no worker'],
  [
    'of another release',
    'delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations)',
    'not at the schema',
  ],
  [
    'distributed by another column',
    "insert into citus_tables values ('positions', 'distributed', 'time', 7, 32)",
    'in another way (distributed by time)',
  ],
  [
    'with a table that follows another one',
    "insert into citus_tables values ('positions', 'distributed', 'device_id', 7, 32), ('day_summaries', 'distributed', 'device_id', 8, 32)",
    'table day_summaries is distributed in another way',
  ],
  [
    'whose table is copied to all workers',
    "insert into citus_tables values ('positions', 'reference', null, 7, 1)",
    'in another way (reference',
  ],
])('a database %s is refused, and nothing changes', async (_, change, words) => {
  await prepare(change)
  expect(await run()).toEqual({ code: 1, out: expect.stringContaining(words) })
  expect(await listCalls()).toEqual([])
})

test('nothing is distributed while a server is connected', async () => {
  await prepare()
  const db = await openPostgres(database.url)
  await db.connections.pool.query('select 1')
  expect(await run()).toEqual({ code: 1, out: expect.stringContaining('Stop all servers first') })
  await db.close()
})
