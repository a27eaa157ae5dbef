import type pg from 'pg'

const MONTHS_BACK = 24
const MONTHS_AHEAD = 3
/** Index-only reads need pages that VACUUM has processed. */
const VACUUM = 'autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_vacuum_insert_threshold = 10000'

/** A clock that was never set gives years such as 1970; these positions stay in the default partition. */
const MAX_MONTHS_BACK = 120

/** Adds missing partitions of positions, from two years back, or from `oldest`, to three months ahead. Returns how many. */
export async function addPartitions(client: Pick<pg.ClientBase, 'query'>, now: Date, oldest = now) {
  const back = Math.min(Math.max(MONTHS_BACK, monthOf(now) - monthOf(oldest)), MAX_MONTHS_BACK)
  let added = 0
  const { rows } = await client.query(
    "select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'positions'::regclass",
  )
  const known = new Set(rows.map(({ name }) => name))
  for (let offset = -back; offset <= MONTHS_AHEAD; offset++) {
    const [from, to] = [startOfMonth(now, offset), startOfMonth(now, offset + 1)]
    const name = `positions_${from.toISOString().slice(0, 7).replace('-', '_')}`
    if (known.has(name)) continue
    // If positions of a month arrived before its partition, they stay in the default partition.
    const { rows: early } = await client.query('select 1 from positions_other where time >= $1 and time < $2 limit 1', [
      toSeconds(from),
      toSeconds(to),
    ])
    if (early.length > 0) continue
    await createMonth(client, { partition: name, from: toSeconds(from), to: toSeconds(to) })
    added++
  }
  return added
}

export const createMonth = (
  client: Pick<pg.ClientBase, 'query'>,
  { partition, from, to }: { partition: string; from: number; to: number },
) => client.query(`create table if not exists ${partition} partition of positions for values from (${from}) to (${to}) with (${VACUUM})`)

const monthOf = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth()

const startOfMonth = (now: Date, offset: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1))
const toSeconds = (date: Date) => date.getTime() / 1000
