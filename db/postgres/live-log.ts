import type { SharedLog } from '#db/db.ts'
import type { Connections } from './connection.ts'

/** The most events stored per account. */
const MAX_PER_ACCOUNT = 1000
/** Events removed per statement. */
const BATCH = 10_000
const MAX_BATCHES = 100
/** How far the id of a transaction's event may lie behind the newest one when it commits. */
const MARGIN = 10_000

const LIST = `
  select event.id, event.account_id as "accountId", event.device_id as "deviceId", event.type, event.body as data
  from unnest($1::bigint[], $2::bigint[]) as after (account_id, id)
  cross join lateral (select * from live_events e where e.account_id = after.account_id and e.id > after.id order by e.id limit $3) event
  order by event.account_id, event.id limit $3`

const KEEP_MARK = 'on conflict (account_id) do update set pruned_to = greatest(live_marks.pruned_to, excluded.pruned_to)'

/** Ids are roughly in the order of time, so the oldest events have the lowest ones. */
const PRUNE_OLD = `
  with oldest as (select id, at from live_events order by id limit ${BATCH}),
    cut as (select max(id) as id from oldest where at <= $1),
    gone as (delete from live_events using cut where live_events.id <= cut.id)
  insert into live_marks (account_id, pruned_to) select 0, id from cut where id is not null ${KEEP_MARK} returning pruned_to`

/** Marks of single accounts that are not beyond the mark of all accounts are redundant. */
const FORGET_MARKS =
  'delete from live_marks where account_id <> 0 and pruned_to <= (select all_marks.pruned_to from live_marks all_marks where all_marks.account_id = 0)'

const PRUNE_BUSY = `
  with active as (select distinct account_id from live_events where id > $1),
    cut as (
      select account_id,
        (select id from live_events e where e.account_id = active.account_id order by id desc offset ${MAX_PER_ACCOUNT} limit 1) as id
      from active),
    gone as (delete from live_events e using cut where e.account_id = cut.account_id and e.id <= cut.id)
  insert into live_marks (account_id, pruned_to) select account_id, id from cut where id is not null ${KEEP_MARK}`

/** The live log of several servers. */
export function postgresLog({ pool }: Connections): Pick<SharedLog, 'listEvents' | 'findNewest' | 'prune'> {
  let seenTo = 0
  const findNewest = async (accountId: number | null) => {
    const where = accountId === null ? '' : 'where account_id = $1'
    const { rows } = await pool.query(`select max(id) as id from live_events ${where}`, accountId === null ? [] : [accountId])
    return Number(rows[0]?.id ?? 0)
  }
  return {
    findNewest,
    async listEvents(after, limit) {
      const { rows } = await pool.query({ name: 'live-events', text: LIST, values: [[...after.keys()], [...after.values()], limit] })
      return rows
    },
    async prune(until) {
      for (let batch = 0; batch < MAX_BATCHES; batch++) if ((await pool.query(PRUNE_OLD, [until.getTime()])).rowCount === 0) break
      await pool.query(FORGET_MARKS)
      const newest = await findNewest(null)
      await pool.query(PRUNE_BUSY, [seenTo])
      seenTo = newest - MARGIN
    },
  }
}
