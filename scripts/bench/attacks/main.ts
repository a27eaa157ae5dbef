/**
 * `npm run bench:attacks`: how long one normal caller waits during each attack on the built production server. The attacker is a process of
 * its own. Arguments choose attacks by a part of their names. Exit code: 0 all goals are met, 1 a goal is missed, 2 the machine was too
 * busy to decide.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { signIn, startBuiltServer } from '#scripts/bench/built-server.ts'
import { quantile } from '#scripts/bench/measure.ts'
import { DATABASE_FILENAME } from '#server/http/process.ts'
import { openCity } from '#server/mock/city/index.ts'
import { buildTemplate } from '#server/mock/seed/template.ts'
import { PRODUCTION } from '#server/test/test-process.ts'
import { ATTACKS, CONDITIONS } from './attacks.ts'

const CALLER = { username: 'alice@example.com', password: 'Demo-1234' }
const NETWORK = { 'x-forwarded-for': '192.0.2.7' }
/** Interval between two calls of the normal caller, whose session may make 600 a minute. */
const PAUSE_MS = 120
const WARM_UP = 50
const GOAL_MS = 500
/** Latency without an attack; above it the machine is too busy to judge a row that misses its goal. */
const QUIET_MS = 50
const IDLE = 'nothing at all'

type Row = { name: string; times: number[]; megabytes: number; answers: string }

async function measure(name: string, database: Uint8Array): Promise<Row> {
  const { program = 'main.js', path: asked = '/devices/?type=tracker', before: first } = CONDITIONS[name] ?? {}
  const env = { TRUST_PROXY: '1', LOG_LEVEL: 'silent' }
  await using server = await (program === 'mock.js'
    ? startBuiltServer(program, { env })
    : startBuiltServer(program, {
        env: { ...PRODUCTION, ...env },
        prepare: (folder) => writeFileSync(path.join(folder, DATABASE_FILENAME), database),
      }))
  const headers = { ...(await signIn(server.origin, CALLER, NETWORK)), ...NETWORK }
  const call = async () => {
    const start = performance.now()
    const answer = await fetch(server.origin + asked, { headers })
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`The normal caller got ${answer.status}`)
    return performance.now() - start
  }
  if (first) await (await fetch(server.origin + first)).arrayBuffer()
  for (let nth = 0; nth < WARM_UP; nth++) await call()
  const before = server.readMemory()
  let most = before
  const child = fork(fileURLToPath(import.meta.url), ['--attack', name, server.origin], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  let answers = ''
  child.stdout?.on('data', (text) => {
    answers += text
  })
  const begun = once(child, 'message')
  let isOver = false
  const ended = once(child, 'exit').then(() => {
    isOver = true
  })
  await Promise.race([begun, ended])
  const times: number[] = []
  while (!isOver) {
    times.push(await call().catch(() => Number.POSITIVE_INFINITY))
    most = Math.max(most, server.readMemory())
    await setTimeout(PAUSE_MS)
  }
  return { name, times, megabytes: most - before, answers: answers || 'no answer' }
}

function printRow({ name, times, megabytes, answers }: Row, idle: number) {
  const p95 = quantile(times, 0.95)
  const cells = [quantile(times, 0.5), p95, Math.max(...times)].map((time) => time.toFixed(0).padStart(7))
  const ratio = (p95 / idle).toFixed(1).padStart(7)
  process.stdout.write(`${name.padEnd(42)}${cells.join('')}${ratio}${megabytes.toFixed(0).padStart(7)}  ${answers}\n`)
  return p95
}

async function run(wanted: string[]) {
  const names = Object.keys(ATTACKS).filter((name) => name === IDLE || wanted.length === 0 || wanted.some((part) => name.includes(part)))
  process.stdout.write(`${'load '.concat(loadavg()[0]!.toFixed(1)).padEnd(42)}    p50    p95    max  ratio    +MB  answers (times in ms)\n`)
  const database = await buildTemplate({ anchor: new Date(), seed: 1, city: openCity('dist/city') })
  let [idle, hasMissed] = [0, false]
  for (const name of names) {
    const row = await measure(name, database)
    if (name === IDLE) idle = quantile(row.times, 0.95)
    hasMissed = printRow(row, idle) > GOAL_MS || hasMissed
  }
  process.exitCode = hasMissed ? (idle > QUIET_MS ? 2 : 1) : 0
}

if (process.argv[2] === '--attack') {
  const [name = '', origin = ''] = process.argv.slice(3)
  process.send?.('begun')
  process.disconnect()
  process.stdout.write(JSON.stringify(await ATTACKS[name]!(origin)))
} else await run(process.argv.slice(2))
