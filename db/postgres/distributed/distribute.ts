import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { findProgramFile } from '#db/program-files.ts'
import { TRACKER_COLUMN } from '#db/schema/columns.ts'
import { DISTRIBUTED_TABLES, FIRST_TABLE } from './tables.ts'

type Client = Pick<pg.ClientBase, 'query'>

/** `done`: nothing is left to do. `rows`: about how many will be moved to the workers. */
export type Step = { table: string; state: 'done' | 'open'; rows: number; foreignKeys: string[] }
export type Plan = { workers: string[]; shards: number; steps: Step[] }
type Options = { shards: number; isDryRun: boolean; onStep?: (step: Step) => void }

const SILENCE_TRIES = 10
const SILENCE_PAUSE_MS = 300
const FOREIGN_KEYS = "select conname as name from pg_constraint where conrelid = $1::regclass and contype = 'f' order by 1"
const newestMigration = () => {
  const journal = readFileSync(path.join(findProgramFile('db/postgres/migrations'), 'meta/_journal.json'), 'utf8')
  return Math.max(...(JSON.parse(journal) as { entries: { when: number }[] }).entries.map(({ when }) => when))
}

/**
 * Distributes the tables that grow with positions over the workers of a Citus cluster, by tracker. Each table is moved in a transaction of its
 * own, so that an interrupted run continues where it was. Rejects with one sentence when something does not fit; nothing is changed then.
 */
export async function distribute(client: Client, { shards, isDryRun, onStep }: Options): Promise<Plan> {
  const plan = await planDistribution(client, shards)
  if (isDryRun) return plan
  await client.query("set statement_timeout = 0; set lock_timeout = '10s'")
  for (const step of plan.steps) {
    if (step.state === 'open') await moveTable(client, step, plan.shards)
    // The rows of before stay on the coordinator, where no query sees them.
    await client.query('select truncate_local_data_after_distributing_table($1::regclass)', [step.table])
    onStep?.({ ...step, state: 'done' })
  }
  return plan
}

async function planDistribution(client: Client, shards: number): Promise<Plan> {
  await requireCluster(client)
  const workers = await listWorkers(client)
  await requireSchema(client)
  await requireSilence(client)
  const { rows } = await client.query<{ name: string; type: string; key: string; colocation: number; shards: number }>(
    `select table_name::text as name, citus_table_type as type, distribution_column as key, colocation_id as colocation, shard_count as shards
     from citus_tables where table_name = any($1::regclass[])`,
    [DISTRIBUTED_TABLES],
  )
  const known = new Map(rows.map((row) => [row.name, row]))
  const first = known.get(FIRST_TABLE)
  for (const { name, type, key, colocation } of rows)
    if (type !== 'distributed' || key !== TRACKER_COLUMN || colocation !== first?.colocation)
      throw new Error(
        `The table ${name} is distributed in another way (${type} by ${key}). Undo it: select undistribute_table('${name}', cascade_via_foreign_keys => true)`,
      )
  const steps: Step[] = []
  for (const table of DISTRIBUTED_TABLES) {
    const foreignKeys = (await client.query<{ name: string }>(FOREIGN_KEYS, [table])).rows.map(({ name }) => name)
    steps.push({ table, state: known.has(table) ? 'done' : 'open', rows: await countRows(client, table), foreignKeys })
  }
  return { workers, shards: first?.shards ?? shards, steps }
}

async function requireCluster(client: Client) {
  const { rows } = await client.query("select to_regclass('citus_tables') as name")
  if (!rows[0].name)
    throw new Error(
      'The database has no Citus. Install it on all machines, add it to shared_preload_libraries, and run: create extension citus',
    )
}

async function listWorkers(client: Client) {
  const { rows } = await client.query<{ name: string }>(
    "select node_name || ':' || node_port as name from citus_get_active_worker_nodes() order by 1",
  )
  if (rows.length === 0)
    throw new Error(
      "The cluster has no worker. Add each of them: select citus_add_node('host', 5432). The address must be that of the coordinator.",
    )
  return rows.map(({ name }) => name)
}

async function requireSchema(client: Client) {
  const { rows } = await client.query("select to_regclass('drizzle.__drizzle_migrations') as name")
  const newest = rows[0].name
    ? (await client.query('select max(created_at)::float8 as at from drizzle.__drizzle_migrations')).rows[0].at
    : null
  if (newest !== newestMigration())
    throw new Error(`The database is not at the schema of this release. Start and stop a server of this release, which migrates it.`)
}

/**
 * A running server would write to a table that is being moved, and would not know that it is distributed. A connection of one that has just
 * stopped may be open for a moment.
 */
async function requireSilence(client: Client) {
  for (let attempt = 1; ; attempt++) {
    const { rows } = await client.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and application_name like 'whereabouts%'`,
    )
    if (rows[0]!.n === 0) return
    if (attempt === SILENCE_TRIES) throw new Error('A server is connected to the database. Stop all servers first.')
    await delay(SILENCE_PAUSE_MS)
  }
}

async function countRows(client: Client, table: string) {
  const { rows } = await client.query(`select count(*)::float8 as n from ${table}`)
  return rows[0].n as number
}

async function moveTable(client: Client, { table, foreignKeys }: Step, shards: number) {
  await client.query('begin')
  try {
    // A tracker is deleted together with its rows, in one transaction (PositionStore.remove).
    for (const key of foreignKeys) await client.query(`alter table ${table} drop constraint "${key}"`)
    if (table === FIRST_TABLE)
      await client.query("select create_distributed_table($1, $2, colocate_with => 'none', shard_count => $3)", [
        table,
        TRACKER_COLUMN,
        shards,
      ])
    else await client.query('select create_distributed_table($1, $2, colocate_with => $3)', [table, TRACKER_COLUMN, FIRST_TABLE])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
