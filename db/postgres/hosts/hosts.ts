import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { splitAddress } from '#db/database-addresses.ts'

/** Milliseconds. */
const LIMIT_MS = 1500
const CHECK_MS = 1000
const RETRY_MS = 200
/** After this many checks all hosts are probed, in case another one was promoted while this one still accepts changes. */
const CHECKS_OF_ONE = 5

const STATE = `select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as is_writable,
  (select system_identifier::text from pg_control_system()) as system,
  case when pg_is_in_recovery() then '' else substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end as timeline`

type State = { url: string; is_writable: boolean; system: string; timeline: string }

/** The hosts of one database, of which one accepts changes at a time. */
export type Hosts = {
  /** The address of the last host that accepted changes. */
  current(): string
  /** Finds the host that accepts changes. If none does, rejects with the failure of the first host. */
  find(): Promise<string>
  /** Searches for the primary repeatedly until there is one. Call when a connection was lost, or the host rejected a change. */
  suspect(): void
  /** Calls a listener when another host has replaced the current one. */
  onMove(listener: () => void): void
  close(): void
}

export function createHosts(address: string, onMoved: (host: string) => void = () => {}): Hosts {
  const urls = splitAddress(address)
  const [only] = urls as [string]
  if (urls.length === 1) return { current: () => only, find: async () => only, suspect() {}, onMove() {}, close() {} }
  return followWritable(urls, onMoved)
}

function followWritable(urls: readonly string[], onMoved: (host: string) => void): Hosts {
  const listeners = new Set<() => void>()
  let current = urls[0]!
  let isKnown = false
  let finding: Promise<string> | undefined
  let isSearching = false
  const aborter = new AbortController()

  /** If several hosts accept changes, the most recently promoted one is used: another is a former primary, cut off from its standby. */
  async function look() {
    const results = await Promise.allSettled(urls.map(readState))
    const states = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    if (new Set(states.map(({ system }) => system)).size > 1) throw new Error('The hosts of DATABASE_URL belong to different databases.')
    const writable = states.filter(({ is_writable: isWritable }) => isWritable)
    const newest = writable.reduce((last, { timeline }) => (timeline > last ? timeline : last), '')
    const candidates = writable.filter(({ timeline }) => timeline === newest)
    const [found] = [...candidates.filter(({ url }) => url === current), ...candidates]
    if (found) return move(found.url)
    const failed = results.find((result) => result.status === 'rejected')
    if (states.length > 0 || !failed) throw Object.assign(new Error('No host of DATABASE_URL accepts changes.'), { code: '25006' })
    throw failed.reason
  }

  function move(url: string) {
    const hasMoved = isKnown && url !== current
    current = url
    isKnown = true
    if (!hasMoved) return url
    onMoved(new URL(url).host)
    for (const listener of listeners) listener()
    return url
  }

  const find = () =>
    (finding ??= look().finally(() => {
      finding = undefined
    }))

  async function suspect() {
    if (isSearching) return
    isSearching = true
    while (!aborter.signal.aborted && !(await find().catch(() => undefined))) await delay(RETRY_MS, undefined, { ref: false })
    isSearching = false
  }

  async function watch() {
    for (let check = 1; ; check++) {
      await delay(CHECK_MS, undefined, { ref: false, signal: aborter.signal })
      const state = check % CHECKS_OF_ONE > 0 && isKnown ? await readState(current).catch(() => undefined) : undefined
      if (!state?.is_writable) await suspect()
    }
  }
  watch().catch(() => {})

  return {
    current: () => current,
    find,
    suspect: () => void suspect(),
    onMove: (listener) => void listeners.add(listener),
    close: () => aborter.abort(),
  }
}

async function readState(url: string): Promise<State> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'whereabouts host',
    connectionTimeoutMillis: LIMIT_MS,
    query_timeout: LIMIT_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query(STATE)
    return { url, ...rows[0] }
  } finally {
    client.end().catch(() => {})
  }
}
