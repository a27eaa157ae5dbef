/**
 * `npm run bench:files`: how long others wait, and how much memory the built server takes, while one account sends files of 63 MB. The heap
 * has 1 GB, Node's default in a container of 2 GB. Arguments choose shapes by a part of their names.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { signIn, startBuiltServer } from '#scripts/bench/built-server.ts'
import { quantile } from '#scripts/bench/measure.ts'
import { SHAPES } from './shapes.ts'

const PASSWORD = 'Demo-1234'
const ATTACKER = { username: 'george@example.com', password: PASSWORD }
const CALLER = { username: 'alice@example.com', password: PASSWORD }
/** The tracker of the attacker. */
const TRACKER = 41
/** Interval between two calls of the normal caller. */
const PAUSE_MS = 20
const SETTLE_MS = 2000

/** Runs as a process of its own: sends a file and prints status and reason. */
async function upload([url = '', file = '', authorization = '']: string[]) {
  const headers = { authorization, 'content-type': 'application/octet-stream' }
  const answer = await fetch(url, { method: 'POST', headers, body: readFileSync(file) })
  const body = (await answer.json()) as { code?: string; errors?: { file?: string[] } }
  process.stdout.write(`${answer.status} ${body.errors?.file?.[0] ?? body.code ?? ''}`)
}

async function measure(name: string, make: () => string) {
  await using server = await startBuiltServer('mock.js', { env: { LOG_LEVEL: 'error' }, flags: ['--max-old-space-size=1024'] })
  const [attacker, caller] = [await signIn(server.origin, ATTACKER), await signIn(server.origin, CALLER)]
  const folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-shape-'))
  const file = path.join(folder, 'file')
  writeFileSync(file, make())
  const call = async () => {
    const start = performance.now()
    await (await fetch(`${server.origin}/devices/?type=tracker`, { headers: caller })).arrayBuffer()
    return performance.now() - start
  }
  for (let nth = 0; nth < 50; nth++) await call()
  const before = server.readMemory()
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, server.readMemory())
  }, 50)
  const start = performance.now()
  const url = `${server.origin}/devices/${TRACKER}/imports/`
  const child = fork(fileURLToPath(import.meta.url), ['--upload', url, file, attacker.authorization!], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  let result = ''
  child.stdout?.on('data', (text) => {
    result += text
  })
  const ended = once(child, 'exit').then(() => performance.now() - start)
  const times: number[] = []
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  while (!isOver) {
    times.push(await call().catch(() => Number.POSITIVE_INFINITY))
    await setTimeout(PAUSE_MS)
  }
  const took = await ended
  await setTimeout(SETTLE_MS)
  clearInterval(watch)
  rmSync(folder, { recursive: true })
  const cells = [quantile(times, 0.5), quantile(times, 0.95), Math.max(...times), took, most - before].map((cell) =>
    cell.toFixed(0).padStart(7),
  )
  process.stdout.write(`${name.padEnd(42)}${cells.join('')}  ${result || 'no answer'}\n`)
}

if (process.argv[2] === '--upload') await upload(process.argv.slice(3))
else {
  const wanted = process.argv.slice(2)
  process.stdout.write(`${''.padEnd(42)}    p50    p95    max   took    +MB  answer (times in ms)\n`)
  for (const [name, make] of Object.entries(SHAPES))
    if (wanted.length === 0 || wanted.some((part) => name.includes(part)))
      await measure(name, make).catch((error) => process.stdout.write(`${name}: ${error}\n`))
}
