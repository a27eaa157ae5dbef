import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { templateFile } from '#scripts/test-setup/template-file.ts'
import { createInstallation, fillTemplates, findFreePort } from '#server/test/test-process.ts'
import { startProxy } from './proxy.ts'
import { startPostgres, type TestPostgres } from './start-postgres.ts'

const DATABASE = 'portal'
const POLL_MS = 25
const PATIENCE_MS = 90_000

/**
 * `isRecorded`: whether rows of the live log are copied to `recorded_events`. `hasStandby`: whether the database has a standby, which is
 * the second host in the servers' database address.
 */
type Options = {
  /** False if the servers connect to the database itself, and not through the proxy that can cut the network. */
  isProxied?: boolean
  hasStandby?: boolean
  servers?: number
  env?: Record<string, string>
  flags?: string[]
  parent?: string
  isRecorded?: boolean
}

/** Production servers that share one durable PostgreSQL, each in a separate process. */
export type Cluster = Awaited<ReturnType<typeof startCluster>>

/** Every row that is ever written to the log of live events, also those that are removed later. */
const RECORDS = `
  create table recorded_events (id bigint, account_id bigint, device_id bigint, type text, body text);
  create function record_event() returns trigger language plpgsql as
    'begin insert into recorded_events values (new.id, new.account_id, new.device_id, new.type, new.body); return null; end';
  create trigger record_event after insert on live_events for each row execute function record_event()`

export async function startCluster(options: Options = {}) {
  const { servers = 2, env = {}, flags = [], parent, isRecorded = true, isProxied = true, hasStandby = false } = options
  const postgres = await startPostgres({ isDurable: true, flags, ...(parent && { parent }) })
  await fillTemplates(postgres.url, [`${DATABASE}=${templateFile()}`])
  const addressOf = ({ url }: TestPostgres) => Object.assign(new URL(url), { pathname: `/${DATABASE}` })
  let direct = addressOf(postgres)
  const proxy = await startProxy(Number(direct.port))
  const proxied = Object.assign(new URL(direct), { port: String(proxy.port) }).href
  const installed = await createInstallation()
  const query = <T extends pg.QueryResultRow>(text: string, values: unknown[] = []) => queryAt<T>(direct, text, values)
  const queryAt = async <T extends pg.QueryResultRow>(address: URL, text: string, values: unknown[] = []) => {
    const client = new pg.Client(address.href)
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query<T>(text, values)).rows
    } finally {
      await client.end()
    }
  }
  if (isRecorded) await query(RECORDS)
  const link = hasStandby ? await startProxy(Number(direct.port)) : undefined
  const linked = link && Object.assign(new URL(postgres.url), { port: String(link.port) }).href
  const standby = linked
    ? await startPostgres({ isDurable: true, standbyOf: postgres, flags: ['-c', `primary_conninfo=${linked}`] })
    : undefined
  const address = standby
    ? `${proxied.replace('/portal', '')},${addressOf(standby).host}/${DATABASE}?target_session_attrs=read-write`
    : isProxied
      ? proxied
      : direct.href

  async function startServer(port: number) {
    const program = installed.start('server/main.ts', { PORT: String(port), LOG_LEVEL: 'info', DATABASE_URL: address, ...env })
    await program.says('listening')
    return { ...program, port, url: `http://127.0.0.1:${port}` }
  }
  const running = await Promise.all(Array.from({ length: servers }, async () => startServer(await findFreePort())))

  const readyStatus = async ({ url }: { url: string }) => {
    try {
      return (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(PATIENCE_MS) })).status
    } catch {
      return 0
    }
  }
  async function waitUntil(holds: () => Promise<boolean> | boolean, words: string, patienceMs = PATIENCE_MS) {
    for (const end = Date.now() + patienceMs; Date.now() < end; await delay(POLL_MS)) if (await holds()) return
    const warnings = running.flatMap((server) => server.warnings())
    throw new Error([`Waited in vain until ${words}. The servers logged:`, ...warnings].join('\n'))
  }

  return {
    postgres,
    standby,
    address,
    /** Promotes the standby; later queries of the test go to it. */
    async promote() {
      direct = addressOf(standby!)
      await query('select pg_promote()')
    },
    /** Disconnects the standby from the primary. */
    cutOffStandby: () => link!.cut(),
    proxy,
    query,
    /** Runs a statement in another database of the same PostgreSQL. */
    queryOf: (database: string, text: string) => queryAt(Object.assign(new URL(direct), { pathname: `/${database}` }), text),
    /** The data folder of the servers. */
    data: installed.data,
    operate: (...args: string[]) => installed.start('server/operator.ts', { DATABASE_URL: address, ...env }, args).ended,
    servers: running,
    urls: () => running.map(({ url }) => url),
    waitUntil,
    /** Kills a server, and starts another at its port. */
    async replace(index: number) {
      const server = running[index]!
      server.signal('SIGKILL')
      await server.ended
      running[index] = await startServer(server.port)
    },
    /** Stops a server as an update does, and starts another at its port once it has ended. */
    async update(index: number) {
      const server = running[index]!
      server.signal('SIGTERM')
      const { code } = await server.ended
      running[index] = await startServer(server.port)
      return code
    },
    /** Stops all servers as an operator does, and starts others at their ports after `between`. */
    async restart(between: () => Promise<unknown>) {
      for (const { signal } of running) signal('SIGTERM')
      await Promise.all(running.map(({ ended }) => ended))
      await between()
      for (const [index, { port }] of running.entries()) running[index] = await startServer(port)
    },
    /** Resolves once every server answers `/readyz` with that status. */
    untilReadyz: (status: number) =>
      waitUntil(
        async () => (await Promise.all(running.map(readyStatus))).every((each) => each === status),
        `all servers answer ${status} at /readyz`,
      ),
    async [Symbol.asyncDispose]() {
      installed[Symbol.dispose]()
      proxy.close()
      link?.close()
      await standby?.stop()
      await postgres.start().catch(() => {})
      await postgres.stop()
    },
  }
}
