import type { SqliteDb } from '#db/sqlite/open.ts'
import { ANCHOR } from '#server/test/test-files.ts'

/** Sizes of the accounts that the lists of trackers are measured with. */
export const FLEETS = [100, 1000] as const
/** Trackers of the account of `size` have ids from here on; the account has this id too. */
export const firstOfFleet = (size: number) => 1_000_000 + size * 100

/** The tracker of `family` whose history is replaced by a month of many positions. */
export const MONTH_DEVICE = 1
export const MONTH_ROWS = 50_000
export const MONTH_DAYS = 30
const MONTH_SECONDS = MONTH_DAYS * 86_400

const END = ANCHOR.getTime() / 1000

/** `not_before` and `not_after` of the last days before the end. */
export const period = (days: number) =>
  `not_before=${new Date(ANCHOR.getTime() - days * 86_400_000).toISOString()}&not_after=${ANCHOR.toISOString()}`

export function addFleets(db: SqliteDb) {
  const columns = db.raw.prepare('select name from pragma_table_info(?)').pluck()
  const copy = (table: string, changes: Record<string, string>, from: string) => {
    const names = columns.all(table) as string[]
    db.raw.exec(
      `insert into ${table} (${names.join(', ')}) select ${names.map((name) => changes[name] ?? `${table}.${name}`).join(', ')} ${from}`,
    )
  }
  return FLEETS.map((size) => {
    const id = firstOfFleet(size)
    const email = `fleet-${size}@example.com`
    db.raw.exec(`insert into accounts (id, is_pro) values (${id}, 0)`)
    copy(
      'users',
      { id: `${id}`, account_id: `${id}`, email: `'${email}'`, username: `'${email}'` },
      `from users where email = 'alice@example.com'`,
    )
    copy(
      'devices',
      {
        id: `${id} + n`,
        account_id: `${id}`,
        tag_id: 'null',
        // The subscription of the copied tracker may be over: then the tracker rests.
        sub_state: `'active'`,
        sub_end_date: 'null',
        name: `devices.name || ' ' || n`,
        identifier: `'B' || (${id} + n)`,
        serial: `'BENCH' || (${id} + n)`,
      },
      `from devices, (with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < ${size - 1}) select n from numbers)
       where devices.id = ${MONTH_DEVICE}`,
    )
    return { size, email }
  })
}

/** Replaces the history of one tracker by 50,000 positions in a month. */
export const addMonth = (db: SqliteDb) => replaceMonth(db, MONTH_DEVICE, MONTH_ROWS, () => 0)

/** Two trackers of `family` with half as many positions each, which go the same way and are a few hundred metres apart one hour of three. */
export const PAIR_DEVICES = [2, 6] as const
export function addPair(db: SqliteDb) {
  const [first, second] = PAIR_DEVICES
  replaceMonth(db, first, MONTH_ROWS / 2, () => 0)
  replaceMonth(db, second, MONTH_ROWS / 2, (time) => (Math.floor(time / 3600) % 3 === 0 ? 40_000 : 0))
}

function replaceMonth(db: SqliteDb, device: number, rows: number, offsetAt: (time: number) => number) {
  db.raw.prepare('delete from positions where device_id = ?').run(device)
  const insert = db.raw.prepare('insert into positions (device_id, time, lat, lng, precision, event, battery) values (?, ?, ?, ?, ?, ?, ?)')
  db.raw.transaction(() => {
    const next = createTrack()
    for (let n = 0; n < rows; n++) {
      const { lat, lng, precision, event, battery } = next()
      const time = END - MONTH_SECONDS + Math.floor((n * MONTH_SECONDS) / rows)
      insert.run(device, time, lat + offsetAt(time), lng, precision, event, battery)
    }
  })()
}

/** A walk through a town with changing heading and speed, the same every time; as stored columns. */
export function createTrack(seed = 1) {
  let state = seed
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  let [lat, lng, heading, battery] = [-349_000_000, -561_500_000, random() * 6.28, 100]
  return () => {
    heading += (random() - 0.5) * 0.6
    const step = random() < 0.3 ? 0 : random() * 2000
    lat = Math.round(Math.max(-349_300_000, Math.min(-348_500_000, lat + Math.sin(heading) * step)))
    lng = Math.round(Math.max(-562_200_000, Math.min(-560_900_000, lng + Math.cos(heading) * step)))
    if (random() < 0.0005) battery = battery > 20 ? battery - 1 : 100
    const precision = 3 + Math.floor(random() * 20)
    return { lat, lng, precision, event: random() < 0.02 ? 1 : null, battery: random() < 0.1 ? battery : null }
  }
}
