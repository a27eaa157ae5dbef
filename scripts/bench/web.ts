/** `npm run bench:web`: the first pages and a long day in Chromium, each compared with a bare page of the same bytes. */
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium } from 'playwright'
import { launchOptions } from '#e2e/chromium.ts'
import { LINES, type Line, type Measurement, measurePage } from '#e2e/measure-page.ts'
import { startBuiltServer } from '#scripts/bench/built-server.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const USER = { username: 'alice@example.com', password: 'Demo-1234' }
/** A tracker of the user, and the key of its gateway. */
const TRACKER = { identifier: '1000000007', key: 'demo-device-key' }
/** Number of positions, and the day that gets them; before the seeded history. */
const DAYS = [
  { count: 10_000, day: '2026-01-05' },
  { count: 70_000, day: '2026-01-06' },
  { count: 100_000, day: '2026-01-07' },
]
const PIN = '[class*=_pin_]'
/** The list of stops and trips, which appears once the whole day has been read and drawn. */
const LEG = '[class*=_legs_] > li'

type Row = { name: string; path: string; usable: string; line: Line; goal: string; isSignedIn?: boolean }

const startServer = () => startBuiltServer('mock.js', { env: { SEED_ANCHOR: '2026-03-02T09:00:00Z', RATE_LIMITS: 'off' } })

const post = async (url: string, body: object, headers: Record<string, string> = {}): Promise<Record<string, unknown>> => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${url} responded with ${answer.status}: ${await answer.text()}`)
  return answer.json()
}

/** A walk that wanders, because equal steps would compress better than any real track. */
function createFixes(day: string, count: number) {
  const start = Date.parse(`${day}T00:30:00Z`)
  const stepMs = Math.min(2000, Math.floor((22 * 3_600_000) / count))
  return Array.from({ length: count }, (_, index) => ({
    lat: -34.9 + Math.sin(index / 900) / 50 + Math.sin(index * 12.9) / 1e5,
    lng: -56.2 + Math.cos(index / 1300) / 50 + Math.cos(index * 78.2) / 1e5,
    precision: 4 + (index % 9),
    datetime: new Date(start + index * stepMs).toISOString(),
  }))
}

const BATCH = 100

async function ingest(origin: string, day: string, count: number) {
  const fixes = createFixes(day, count)
  for (let from = 0; from < count; from += BATCH) {
    const positions = fixes.slice(from, from + BATCH)
    await post(`${origin}/devices/ingest/`, { identifier: TRACKER.identifier, positions }, { 'x-device-key': TRACKER.key })
  }
}

async function findTracker(origin: string, token: string) {
  const answer = await fetch(`${origin}/devices/?type=tracker`, { headers: { authorization: `Bearer ${token}` } })
  const trackers: { id: number; identifier: string | null }[] = await answer.json()
  const found = trackers.find(({ identifier }) => identifier === TRACKER.identifier)
  if (!found) throw new Error(`${USER.username} has no tracker ${TRACKER.identifier}`)
  return found.id
}

/** A page that fetches the given number of bytes at once and then shows one element. */
async function startFloor() {
  const server = http.createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://floor')
    if (pathname === '/bytes') return response.end(Buffer.alloc(Number(searchParams.get('count')), 120))
    response.setHeader('content-type', 'text/html')
    response.end(
      "<!doctype html><script>fetch('/bytes' + location.search).then(a => a.text()).then(() => document.body.innerHTML = '<b>x</b>')</script>",
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      await new Promise((closed) => server.close(closed).closeAllConnections())
    },
  }
}

/** Alternates the rounds so that both pages meet the same load on the machine, and keeps the fastest round of each. */
async function measure(browser: Browser, { line, path, usable, isSignedIn }: Row, from: string, floor: string, token: string) {
  const best: Measurement[] = []
  const bestFloor: Measurement[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const found = await measurePage(browser, { url: `${from}${path}`, usable, line, untilIdle: true, ...(isSignedIn && { token }) })
    best.push(found)
    bestFloor.push(await measurePage(browser, { url: `${floor}/?count=${found.bytes}`, usable: 'b', line }))
  }
  const fastest = (all: Measurement[]) => all.reduce((one, other) => (other.ms < one.ms ? other : one))
  return { ours: fastest(best), floor: fastest(bestFloor) }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`

await using server = await startServer()
await using floor = await startFloor()
const { token } = await post(`${server.origin}/api/v1/auth/web_get_token/`, USER)
const id = await findTracker(server.origin, String(token))
for (const { day, count } of DAYS) await ingest(server.origin, day, count)
const dayRow = (count: number, name: string, line: Line, goal: string): Row => ({
  name: `a day of ${count.toLocaleString('en')} positions, ${name}`,
  path: `/trackers/${id}/history?day=${DAYS.find((each) => each.count === count)!.day}`,
  usable: LEG,
  line,
  goal,
  isSignedIn: true,
})
const rows: Row[] = [
  { name: 'sign-in, slow', path: '/login', usable: 'button[type=submit]', line: LINES.slow, goal: '2.0 s' },
  { name: 'sign-in, no throttle', path: '/login', usable: 'button[type=submit]', line: LINES.free, goal: '' },
  { name: 'sign-in, 1 s latency', path: '/login', usable: 'button[type=submit]', line: LINES.far, goal: '5 round trips' },
  { name: 'map with markers, slow', path: '/', usable: PIN, line: LINES.slow, goal: '2.7 s', isSignedIn: true },
  { name: 'map with markers, no throttle', path: '/', usable: PIN, line: LINES.free, goal: '0.6 s', isSignedIn: true },
  { name: 'map with markers, 1 s latency', path: '/', usable: PIN, line: LINES.far, goal: '6 round trips', isSignedIn: true },
  dayRow(10_000, 'slow', LINES.slow, '3.5 s'),
  dayRow(10_000, 'no throttle', LINES.free, '0.6 s, 100 kB'),
  dayRow(70_000, 'no throttle', LINES.free, ''),
  dayRow(100_000, 'no throttle', LINES.free, '1.5 s'),
]
const browser = await chromium.launch(launchOptions)
console.log(
  '| page | ours | bare page of the same bytes | ratio | requests | scripts | round trips | kB | busy after | goal |\n|---|---|---|---|---|---|---|---|---|---|',
)
for (const row of rows) {
  const { ours, floor: bare } = await measure(browser, row, server.origin, floor.origin, String(token))
  const { ms, requests, scripts, rounds, bytes, busyMs = 0 } = ours
  const cells = [
    row.name,
    seconds(ms),
    seconds(bare.ms),
    (ms / bare.ms).toFixed(1),
    requests,
    scripts,
    rounds,
    (bytes / 1000).toFixed(0),
    seconds(busyMs),
    row.goal,
  ]
  console.log(`| ${cells.join(' | ')} |`)
}
await browser.close()
