import type pg from 'pg'
import { FIRST_TABLE } from './tables.ts'

type Query = Pick<pg.Pool, 'query'>

/** Whether the positions of a database are distributed over the workers of a Citus cluster. */
export async function readDistribution({ query }: Query): Promise<boolean> {
  const { rows } = await query("select to_regclass('citus_tables') as name")
  if (!rows[0].name) return false
  return (await query('select 1 from citus_tables where table_name::text = $1', [FIRST_TABLE])).rows.length > 0
}

/** The worker that has the positions of each tracker. */
export async function findWorkers({ query }: Query, deviceIds: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await query(
    `select id, nodename || ':' || nodeport as worker from unnest($1::bigint[]) as id
     join pg_dist_shard_placement on shardid = get_shard_id_for_distribution_column($2::regclass, id)`,
    [deviceIds, FIRST_TABLE],
  )
  return new Map(rows.map(({ id, worker }) => [id, worker]))
}
