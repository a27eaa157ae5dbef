import { rmSync } from 'node:fs'
import { DAY_MS } from '#contracts/rules/time.ts'
import { connect } from '#db/sqlite/driver.ts'
import { type Call, openLoad } from '#scripts/bench/load.ts'
import { listChildren, readCpuMs } from '#scripts/bench/machine.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { PERSONAS } from '#server/mock/seed/records/personas.ts'
import { DEVICE_KEY } from '#server/mock/seed/records/seed-secrets.ts'
import { type Cluster, startCluster } from '#server/test/postgres/cluster.ts'
import { readPid } from '#server/test/postgres/start-postgres.ts'
import { createInstallation, findFreePort } from '#server/test/test-process.ts'

/** Production servers on one database with a month of a tracker and trackers that report. */
export type Portal = {
  urls: string[]
  pids: number[]
  /** Processes of the database, if it has its own. */
  listDatabasePids?: () => number[]
  query?: Cluster['query']
  close(): Promise<void>
}

/** Alice's tracker with a month of fixes, one every five minutes. */
const MONTH_DEVICE = 1
const STEP_S = 300
const MONTH_ROWS = (30 * 86_400) / STEP_S
const FIRST_ID = 3_000_000
const FIRST_IDENTIFIER = 8_800_000_000
/** Trackers that report in turn, each in an account of its own. */
const REPORTING = 400

const END_S = Math.floor(Date.now() / 1000 / STEP_S) * STEP_S

/** Statements that both engines understand; `series` names the numbers from 0 to below `count`. */
function fillStatements(columnsOf: (table: string) => string[], series: (count: number) => string) {
  const devices = {
    id: `${FIRST_ID} + n`,
    // The first one is Alice's, whose streams are watched.
    account_id: `case when n = 0 then 1 else ${FIRST_ID} + n % 100 end`,
    tag_id: 'null',
    identifier: `cast(${FIRST_IDENTIFIER} + n as text)`,
    serial: `'LOAD' || (1000000 + n)`,
    // The subscription of the copied tracker may be over: then the tracker rests.
    sub_state: `'active'`,
    sub_end_date: 'null',
    position_at: 'null',
    stationary_since: 'null',
  }
  const users = { id: `${FIRST_ID} + n`, account_id: `${FIRST_ID} + n`, username: `'load-' || n`, email: `'load-' || n || '@example.com'` }
  const copy = (table: string, count: number, changes: Record<string, string>) => {
    const columns = columnsOf(table)
    const values = columns.map((name) => changes[name] ?? `${table}.${name}`)
    return `insert into ${table} (${columns.join(', ')}) select ${values.join(', ')} from ${table}, ${series(count)} where ${table}.id = 1`
  }
  const now = Date.now()
  const sessions = Array.from({ length: USERS }, (_, n) => `('${sha256(secretOf(n))}', ${FIRST_ID + n}, ${now}, ${now + DAY_MS}, ${now})`)
  return [
    `insert into accounts (id, is_pro) select ${FIRST_ID} + n, is_pro from accounts, ${series(100)} where id = 1`,
    copy('devices', REPORTING, devices),
    copy('users', USERS, users),
    `insert into tokens (hash, user_id, created_at, expires_at, last_seen_at) values ${sessions.join()}`,
    `delete from positions where device_id = ${MONTH_DEVICE}`,
    `insert into positions (device_id, time, lat, lng, precision) select ${MONTH_DEVICE}, ${END_S} - n * ${STEP_S}, -349000000 + n * 100, -562000000 + n * 50, 6 from ${series(MONTH_ROWS)}`,
  ]
}

const secretOf = (user: number) => `session-of-load-${user}`

/** Lists of users of different accounts. */
const listsOfUsers = () =>
  Array.from({ length: USERS }, (_, n) => ({
    path: '/devices/?type=tracker',
    call: { headers: { authorization: `Bearer ${secretOf(n)}` } },
  }))

const ENV = { RATE_LIMITS: 'off' }

export async function openPostgresPortal(servers: number): Promise<Portal> {
  const cluster = await startCluster({ servers, env: ENV, isRecorded: false, isProxied: false })
  const columns = await cluster.query<{ of: string; name: string }>(
    `select table_name as of, column_name as name from information_schema.columns where table_schema = 'public'`,
  )
  const statements = fillStatements(
    (table) => columns.filter((column) => column.of === table).map(({ name }) => name),
    (count) => `generate_series(0, ${count - 1}) n`,
  )
  for (const statement of [...statements, 'vacuum analyze']) await cluster.query(statement)
  return {
    urls: cluster.urls(),
    pids: cluster.servers.map(({ pid }) => pid),
    listDatabasePids: () => listChildren(readPid(cluster.postgres.folder!)),
    query: cluster.query,
    close: () => cluster[Symbol.asyncDispose](),
  }
}

export async function openSqlitePortal(): Promise<Portal> {
  const installed = await createInstallation()
  installed.seed()
  const db = connect(installed.file)
  const columnsOf = (table: string) => db.prepare('select name from pragma_table_info(?)').pluck().all(table) as string[]
  const series = (count: number) =>
    `(with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < ${count - 1}) select n from numbers)`
  for (const statement of fillStatements(columnsOf, series)) db.exec(statement)
  db.close()
  const port = await findFreePort()
  const program = installed.start('server/main.ts', { PORT: String(port), LOG_LEVEL: 'info', ...ENV })
  await program.says('listening')
  return {
    urls: [`http://127.0.0.1:${port}`],
    pids: [program.pid],
    async close() {
      installed[Symbol.dispose]()
      rmSync(installed.file, { force: true })
    },
  }
}

const MILLION = 1_000_000
const CROWD = 2000

/** Adds positions of other trackers, in order of time over two years, from the `from`th million to the `to`th. */
export async function addMillions({ query }: Portal, from: number, to: number) {
  for (let million = from; million < to; million++)
    await query?.(
      `insert into positions (device_id, time, lat, lng, precision)
       select ${2 * FIRST_ID} + n % ${CROWD}, ${END_S - 690 * 86_400} + n / ${CROWD} * ${Math.floor((690 * 86_400 * CROWD) / (to * MILLION))}, -349000000 + n % 1000, -562000000, 6
       from generate_series(${million * MILLION}::bigint, ${(million + 1) * MILLION - 1}) n on conflict do nothing`,
    )
  await query?.('vacuum analyze positions')
  await query?.('checkpoint')
}

const CONNECTIONS = 32
const STREAMS = 10
const ROUND_MS = 1500
/** Users with a session each, whose lists are read at the same time. */
const USERS = 32

/** `serverUs` and `databaseUs` are the processor time of each unit in microseconds. */
export type Rate = { name: string; unit: string; perSecond: number; serverUs?: number; databaseUs?: number }

const path = (days: number, call: string) =>
  `/devices/${MONTH_DEVICE}/${call}?not_before=${isoOf(END_S - days * 86_400)}&not_after=${isoOf(END_S)}`
const isoOf = (second: number) => new Date(second * 1000).toISOString()

/** How often per second all servers together perform the calls whose names match. */
export async function measurePortal(portal: Portal, { names = /./, roundMs = ROUND_MS } = {}): Promise<Rate[]> {
  const token = await signIn(portal.urls[0]!)
  const ingest = (fixes: number): Partial<Call> => ({
    method: 'POST',
    headers: { 'x-device-key': DEVICE_KEY },
    status: 201,
    body: () => next(fixes),
  })
  const read = { headers: { authorization: `Bearer ${token}` } }
  const calls: [name: string, unit: string, each: number, path: string, call: Partial<Call>, connections?: number][] = [
    ['positions in messages of 1', 'positions', 1, '/devices/ingest/', ingest(1)],
    ['positions in messages of 25', 'positions', 25, '/devices/ingest/', ingest(25)],
    ['positions in messages of 500', 'positions', 500, '/devices/ingest/', ingest(500)],
    ['list of trackers', 'requests', 1, '/devices/?type=tracker', read],
    ['a day, compact', 'requests', 1, path(1, 'tracker_data/track/'), read],
    ['a month, compact', 'requests', 1, path(30, 'tracker_data/track/'), read],
    // More simultaneous downloads of an account are refused.
    ['csv of a month', 'requests', 1, path(30, 'tracker_data/export_csv/'), read, 3],
  ]
  const rates: Rate[] = []
  for (const [name, unit, each, path, call, connections] of calls) {
    if (!names.test(name)) continue
    rates.push(toRate(name, unit, await measure(portal, [{ path, call }], roundMs, connections), each))
  }
  const [message, , , list, day] = calls.map(([, , , path, call]) => ({ path, call }))
  const mixed = 'mixed: messages, lists, days'
  if (names.test(mixed)) rates.push(toRate(mixed, 'requests', await measure(portal, [message!, list!, day!], roundMs)))
  const others = 'lists of trackers of many users'
  if (names.test(others)) rates.push(toRate(others, 'requests', await measure(portal, listsOfUsers(), roundMs)))
  const streams = `events to ${STREAMS} streams`
  if (names.test(streams)) rates.push(toRate(streams, 'events', await measureStreams(portal, token, () => next(1, 0), roundMs)))
  return rates
}

type Measured = { count: number; ms: number; serverMs: number; databaseMs: number }

const toRate = (name: string, unit: string, { count, ms, serverMs, databaseMs }: Measured, each = 1): Rate => ({
  name,
  unit,
  perSecond: (count * each * 1000) / ms,
  serverUs: (serverMs * 1000) / (count * each),
  databaseUs: (databaseMs * 1000) / (count * each),
})

/** Runs work, and measures how long it takes and the processor time of the servers and the database. */
async function withCosts({ pids, listDatabasePids }: Portal, work: () => Promise<number>): Promise<Measured> {
  const readAll = (all: number[]) => new Map(all.map((pid) => [pid, readCpuMs(pid)]))
  const before = [readAll(pids), readAll(listDatabasePids?.() ?? [])] as const
  const begin = performance.now()
  const count = await work()
  const ms = performance.now() - begin
  const after = [readAll(pids), readAll(listDatabasePids?.() ?? [])] as const
  const [serverMs, databaseMs] = after.map((all, index) =>
    [...all].reduce((sum, [pid, cpu]) => sum + cpu - (before[index]!.get(pid) ?? 0), 0),
  )
  return { count, ms, serverMs: serverMs!, databaseMs: databaseMs! }
}

/** Events received by streams of all servers while messages arrive at all servers. */
async function measureStreams(portal: Portal, token: string, body: () => string, ms: number): Promise<Measured> {
  const end = new AbortController()
  let received = 0
  const watch = async (url: string) => {
    const response = await fetch(`${url}/devices/live/`, { headers: { authorization: `Bearer ${token}` }, signal: end.signal })
    const decoder = new TextDecoder()
    const read = async () => {
      for await (const part of response.body!) received += decoder.decode(part, { stream: true }).split('event: position').length - 1
    }
    return read().catch(() => {})
  }
  const reading = Array.from({ length: STREAMS }, (_, index) => watch(portal.urls[index % portal.urls.length]!))
  const call = { method: 'POST', headers: { 'x-device-key': DEVICE_KEY }, status: 201, body }
  const measured = await withCosts(portal, async () => {
    await measure(portal, [{ path: '/devices/ingest/', call }], ms)
    return received
  })
  end.abort()
  await Promise.allSettled(reading)
  return measured
}

type PortalCall = { path: string; call: Partial<Call> }

async function measure(portal: Portal, calls: PortalCall[], ms: number, connections = CONNECTIONS): Promise<Measured> {
  const { urls, pids } = portal
  const each = Math.max(1, Math.floor(connections / urls.length / calls.length))
  const loads = await Promise.all(
    urls.flatMap((url, index) => calls.map(({ path, call }) => openLoad({ ...call, url: `${url}${path}`, pid: pids[index]! }, each))),
  )
  // A server compiles what it runs often; until then, for about six seconds, a message takes up to three times as long.
  await Promise.all(loads.map((load) => load.run(5 * ms)))
  const measured = await withCosts(portal, async () => {
    const rounds = await Promise.all(loads.map((load) => load.run(ms)))
    return rounds.reduce((sum, { requests }) => sum + requests, 0)
  })
  for (const load of loads) load.close()
  return measured
}

/** The next message. Trackers take turns, and each fix is newer than the last. None jumps, because jumps are checked and take longer. */
const next = createMessages()

function createMessages() {
  const seconds = new Array<number>(REPORTING).fill(END_S - 300 * 86_400)
  let count = 0
  return (fixes: number, tracker = count++ % REPORTING) => {
    return JSON.stringify({
      identifier: String(FIRST_IDENTIFIER + tracker),
      battery: 80,
      positions: Array.from({ length: fixes }, () => {
        const second = seconds[tracker]!++
        return { lat: -34.9 + tracker / 1e4, lng: -56.2 + Math.abs((second % 2000) - 1000) / 1e4, precision: 6, datetime: isoOf(second) }
      }),
    })
  }
}

async function signIn(url: string) {
  const { email, password } = PERSONAS[0]!
  const response = await fetch(`${url}/api/v1/auth/web_get_token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: email, password }),
  })
  const { token } = (await response.json()) as { token: string }
  return token
}

/** Tables side by side: a column for each of `runs`, and a comparison of the last with the first. */
export function formatRates(runs: Record<string, Rate[]>) {
  const names = Object.keys(runs)
  const [first = []] = Object.values(runs)
  const rows = first.map(({ name, unit }, index) => {
    const values = Object.values(runs).map((rates) => rates[index]!.perSecond)
    const ratio = values.at(-1)! / values[0]!
    return cells([name, `${unit}/s`, ...values.map((value) => Math.round(value).toLocaleString('en')), ratio.toFixed(2)])
  })
  return [cells(['', '', ...names, 'last / first']), cells(Array.from({ length: names.length + 3 }, () => '---')), ...rows].join('\n')
}

/** The processor time of each unit in microseconds, of the servers and of the database. */
export function formatCosts(runs: Record<string, Rate[]>) {
  const names = Object.keys(runs)
  const [first = []] = Object.values(runs)
  const rows = first.map(({ name, unit }, index) => {
    const costs = Object.values(runs).flatMap((rates) => [rates[index]!.serverUs ?? 0, rates[index]!.databaseUs ?? 0])
    return cells([name, `µs/${unit.replace(/s$/, '')}`, ...costs.map((cost) => cost.toFixed(cost < 10 ? 1 : 0))])
  })
  const columns = ['', '', ...names.flatMap((name) => [`${name}: server`, `${name}: database`])]
  return [cells(columns), cells(columns.map(() => '---')), ...rows].join('\n')
}

const cells = (values: string[]) => `| ${values.join(' | ')} |`
