import type { Connection } from './driver.ts'

/** The tables that the watches of alerts are built from, and whose version a change of a row raises: that of a tracker, or of an account. */
const SOURCES = [
  { table: 'alert_devices', key: 'device_id' },
  { table: 'usual_areas', key: 'device_id' },
  { table: 'alerts', key: '-account_id' },
  { table: 'places', key: '-account_id' },
  { table: 'users', key: '-account_id', columns: ['account_id', 'role', 'time_zone'] },
] as const

/** Temporary, so that they belong to the connection: a file that another release opens has none. */
const SCHEMA = `
  create temp table watch_versions (key integer primary key, version integer not null);
  ${SOURCES.flatMap((source) => [trigger(source, 'insert', ['new']), trigger(source, 'update', ['old', 'new']), trigger(source, 'delete', ['old'])]).join('\n')}`

function trigger(source: (typeof SOURCES)[number], event: 'insert' | 'update' | 'delete', rows: readonly ('old' | 'new')[]) {
  const { table, key } = source
  const of = event === 'update' && 'columns' in source ? ` of ${source.columns.join(', ')}` : ''
  const raise = rows.map((row) => {
    const value = key.startsWith('-') ? `-${row}.${key.slice(1)}` : `${row}.${key}`
    return `insert into watch_versions values (${value}, 1) on conflict (key) do update set version = version + 1;`
  })
  return `create temp trigger watch_versions_${table}_${event} after ${event}${of} on main.${table} begin ${raise.join(' ')} end;`
}

/**
 * Returns a function that tells the version of what alerts watch for a tracker: it differs after every change of these rows, whatever
 * statement made it, and is the earlier one again after a rollback. Null until it was called while no transaction was open: it counts from
 * then on.
 */
export function createWatchVersions(raw: Connection) {
  const prepare = () => raw.prepare<[number, number]>('select coalesce(sum(version), 0) from watch_versions where key in (?, ?)').pluck()
  let find: ReturnType<typeof prepare> | undefined
  return ({ id, accountId }: { id: number; accountId: number }): number | null => {
    if (!find && raw.inTransaction) return null
    if (!find) {
      raw.exec(SCHEMA)
      find = prepare()
    }
    return find.get(id, -accountId) as number
  }
}
