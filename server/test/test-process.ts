import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { recordCalls } from '#scripts/test/changed/mark-functions.ts'
import { templateFile } from '#scripts/test-setup/template-file.ts'
import { ensureBuiltCity } from '#server/mock/city/testing.ts'
import { programsFolder } from './test-files.ts'

export type Entry = 'server/main.ts' | 'server/mock/main.ts'
type Program = keyof typeof PROGRAMS
type Env = Record<string, string | undefined>

/** How often a worker checks whether another has built the programs. */
const BUILT_POLL_MS = 100

/** The settings that production requires. None of these addresses is contacted before a payment or a mail. */
export const PRODUCTION: Env = {
  NODE_ENV: 'production',
  PORTAL_ORIGIN: 'https://portal.example',
  SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'Whereabouts <portal@portal.example>',
  TRUST_PROXY: 'off',
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLIC_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  // The newest entry of the seeded database is older than production accepts, and tests use no outside clock.
  CLOCK_TRUSTED: 'on',
  // The seeded subscriptions end a few months after the seed, so today they may be over and their trackers rest.
  GRACE_DAYS: 'off',
}

const PROGRAMS = {
  'server/main.ts': 'main.js',
  'server/mock/main.ts': 'mock.js',
  'server/backup.ts': 'backup.js',
  'server/restore.ts': 'restore.js',
  'server/operator.ts': 'operator.js',
  'server/move.ts': 'move.js',
  'server/distribute.ts': 'distribute.js',
  'server/jobs/test-entry-crash.ts': 'test-jobs.js',
  'server/jobs/test-entry-pack.ts': 'test-pack.js',
  'server/test/test-entry-dispatch.ts': 'test-dispatch.js',
  'server/test/test-entry-payments-crash.ts': 'test-payments.js',
  'server/test/test-entry-smtp.ts': 'test-smtp.js',
  'server/test/postgres/fill-template.ts': 'test-fill-template.js',
}
/** Programs that only tests start; built, they start in a quarter of the time. */
const TEST_INPUT = Object.fromEntries(
  Object.entries(PROGRAMS).flatMap(([entry, file]) => (file.startsWith('test-') ? [[path.parse(file).name, entry]] : [])),
)

const IS_RECORDED = process.env.CALLS_DIR !== undefined
const preload = () => (IS_RECORDED ? ['--import', pathToFileURL('scripts/test/changed/record-process.mjs').href] : [])
const recordingEnv = (): Env => (IS_RECORDED ? { CALLS_DIR: process.env.CALLS_DIR, CALLS_TEST: process.env.CALLS_TEST } : {})

/** The built programs; one worker of a test run builds them for all. */
let programs: Promise<string> | undefined
async function buildPrograms() {
  const folder = programsFolder(process.ppid)
  const [claim, made, built] = ['claim', 'made', 'built'].map((name) => path.join(folder, name)) as [string, string, string]
  mkdirSync(folder, { recursive: true })
  while (!existsSync(built)) {
    try {
      mkdirSync(claim)
    } catch {
      await delay(BUILT_POLL_MS)
      continue
    }
    try {
      if (existsSync(built)) break
      const changes = { outDir: made, sourcemap: false, rolldownOptions: { input: TEST_INPUT } }
      await build({ configFile: 'vite.server.config.ts', logLevel: 'error', build: changes, plugins: IS_RECORDED ? [recordCalls()] : [] })
      renameSync(made, built)
    } finally {
      rmSync(claim, { recursive: true })
    }
  }
  return built
}

/** Resolves to the file of a built program. */
export async function findProgram(program: Program) {
  programs ??= buildPrograms()
  return path.join(await programs, PROGRAMS[program])
}

/** Runs a program; resolves to its exit code, or to the signal that killed it. */
export async function runUntilEnd(program: Program, args: string[]) {
  const file = await findProgram(program)
  const child = spawn(process.execPath, [...preload(), file, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
  return new Promise<NodeJS.Signals | number | null>((resolve) => child.on('close', (code, signal) => resolve(signal ?? code)))
}

/** Fills databases of a PostgreSQL, each `NAME=FILE` from a seeded SQLite file. */
export async function fillTemplates(url: string, templates: string[]) {
  const code = await runUntilEnd('server/test/postgres/fill-template.ts', [url, ...templates])
  if (code !== 0) throw new Error(`The databases were not filled: ${code}`)
}

/** Creates a folder like the one that the server is started in, with a data folder of its own. */
export async function createInstallation() {
  programs ??= buildPrograms()
  const built = await programs
  const root = mkdtempSync(path.join(tmpdir(), 'whereabouts-process-'))
  const data = path.join(root, 'data')
  for (const folder of ['dist/web', 'data']) mkdirSync(path.join(root, folder), { recursive: true })
  symlinkSync(path.resolve('db'), path.join(root, 'db'))
  symlinkSync(path.resolve(await ensureBuiltCity()), path.join(root, 'dist/city'))
  symlinkSync(built, path.join(root, 'dist/server'))
  writeFileSync(path.join(root, 'dist/web/index.html'), '<!doctype html><title>Portal</title>')
  const children: ChildProcess[] = []
  return {
    data,
    file: path.join(data, 'whereabouts.db'),
    /** Copies the seeded test database: faster than seeding. */
    seed: () => copyFileSync(templateFile(), path.join(data, 'whereabouts.db')),
    start(program: Program, env: Env = {}, args: string[] = [], cwd = root) {
      const child = spawn(process.execPath, [...preload(), path.join(root, 'dist/server', PROGRAMS[program]), ...args], {
        cwd,
        env: { PATH: process.env.PATH, DATA_DIR: data, ...(program === 'server/main.ts' && PRODUCTION), ...recordingEnv(), ...env },
      })
      children.push(child)
      return watchProgram(child)
    },
    [Symbol.dispose]() {
      for (const child of children) child.kill('SIGKILL')
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** Watches a running program: its output, a wait for a text in it, and its exit. */
function watchProgram(child: ChildProcessWithoutNullStreams) {
  const said = { out: '', err: '' }
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, ...said })),
  )
  child.stdout.on('data', (text) => {
    said.out += String(text)
  })
  child.stderr.on('data', (text) => {
    said.err += String(text)
  })
  return {
    ended,
    pid: child.pid!,
    /** The newest warnings and errors of its log. */
    warnings: () =>
      said.out
        .split('\n')
        .filter((line) => /"level":[456]0/.test(line))
        .slice(-5),
    errors: () => said.err,
    signal: (name: NodeJS.Signals) => void child.kill(name),
    says: (words: string) =>
      new Promise<void>((resolve, reject) => {
        const look = () => said.out.includes(words) && resolve()
        child.stdout.on('data', look)
        look()
        ended.then(({ code, err }) => reject(new Error(`ended with ${code}: ${err}`)))
      }),
  }
}

const getPort = (server: Server) => {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

export async function occupyPort() {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: getPort(server), [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}

/** A port without a listener at this moment. */
export async function findFreePort() {
  await using taken = await occupyPort()
  return taken.port
}
