import * as z from 'zod/mini'
import { readTolerantly } from '#contracts/reader/tolerant.ts'
import { Device } from '#contracts/trackers/devices.ts'
import type { Lab } from '#scripts/bench/lab.ts'
import { compareTimes, quantile, time } from '#scripts/bench/measure.ts'
import { absolute, atMost, type Outcome, type Row } from '#scripts/bench/row.ts'
import { openTestCity } from '#server/mock/city/testing.ts'
import { createTiles } from '#server/mock/tiles/render.ts'
import { backends } from '#server/test/stand-ins/backends.ts'
import { applyToBody, type Json } from '#server/test/stand-ins/habit.ts'
import { aboutEndpoint } from '#server/test/stand-ins/test-about.ts'
import { startPortal } from '#server/test/start-portal.ts'

const TRACKERS = 1000
const Devices = z.array(Device)

/** The portal reads a list of trackers that deviates tolerantly; beside it, strictly, the list as it keeps the contract. */
async function measureReading(): Promise<Outcome> {
  await using portal = await startPortal({ noted: false })
  const { body } = await portal.call('alice@example.com', 'GET', '/devices/?type=tracker')
  const devices = Array.from({ length: TRACKERS }, (_, index) => ({ ...body[index % body.length], id: index + 1 })) as Json
  const kept = JSON.stringify(devices)
  const text = JSON.stringify(applyToBody(backends.djangoRestFramework, devices, aboutEndpoint('devices.list')))
  const isRead = (read: boolean) => {
    if (!read) throw new Error('The list of trackers is unreadable')
  }
  return compareTimes({
    ours: () => isRead(readTolerantly(Devices, JSON.parse(text)).ok),
    floor: () => isRead(Devices.safeParse(JSON.parse(kept)).success),
    rounds: 40,
  })
}

const TILES = [
  [13, 2814, 4939],
  [14, 5629, 9878],
  [15, 11_258, 19_757],
  [16, 22_517, 39_515],
] as const

/** Milliseconds to draw an uncached tile of the city, 95th percentile. */
async function measureTiles(): Promise<Outcome> {
  const tiles = createTiles(await openTestCity())
  const times: number[] = []
  for (const [z, x, y] of TILES) {
    tiles.render(z, x - 3, y - 3, 'light')
    for (let i = 0; i < 25; i++) times.push(await time(() => tiles.render(z, x + (i % 5), y - Math.floor(i / 5), 'light')))
  }
  return absolute(quantile(times, 0.95), 'ms')
}

const ROUNDS = 200
const MANY = 300
const MEGABYTE = 1024 * 1024

type Mock = Awaited<ReturnType<typeof startPortal>>

async function post({ app }: Mock, url: string, payload: object, world = 'main') {
  const answer = await app.inject({ method: 'POST', url, payload, headers: { 'x-world': world } })
  if (answer.statusCode >= 300) throw new Error(`${url} responded with ${answer.statusCode}: ${answer.body}`)
}

async function percentile95(work: (round: number) => Promise<unknown>, tidy: (round: number) => unknown = () => {}) {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    times.push(await time(() => work(round)))
    tidy(round)
  }
  return absolute(quantile(times, 0.95), 'ms')
}

/** Testers wait for worlds, so these goals are absolute. */
const ofWorlds = (id: string, name: string, most: number, work: (mock: Mock) => Promise<Outcome>): Row => ({
  id,
  name,
  floor: 'nothing',
  goal: atMost(most),
  tier: 'all',
  async measure() {
    await using mock = await startPortal({ noted: false })
    return await work(mock)
  },
})

const WORLDS = 100
const CALLS = 2000
const AT_ONCE = 4
const [WARM_WORLDS, WARM_CALLS] = [10, 500]

type MixedCall = { method: string; path: string; body?: object }
/** The most frequent calls of a suite, in turn: seven kinds, so that each world gets each of them. */
const MIX: ((n: number) => MixedCall)[] = [
  () => ({ method: 'GET', path: '/devices/?type=tracker' }),
  () => ({ method: 'GET', path: '/tracker_places/' }),
  (n) => ({ method: 'POST', path: '/tracker_tags/', body: { name: `Tag ${n}`, color: '#0072b2' } }),
  () => ({ method: 'GET', path: '/users/subscriptions/' }),
  () => ({ method: 'GET', path: '/mock/mail' }),
  () => ({ method: 'POST', path: '/mock/clock/advance', body: { by: 'PT5M' } }),
  () => ({ method: 'GET', path: '/devices/1/tracker_data/?not_before=2026-03-01T00:00:00Z&not_after=2026-03-01T23:59:59Z' }),
]

/** Milliseconds of a call while four tests at once use a hundred worlds of one server, 95th percentile. */
async function measureMixed(lab: Lab): Promise<Outcome> {
  const { url } = await lab.mock()
  const send = async ({ method, path, body }: MixedCall, headers: Record<string, string> = {}) => {
    const content = body && { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } }
    const answer = await fetch(url + path, { method, headers, ...content })
    if (!answer.ok) throw new Error(`${method} ${path} responded with ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }
  const measure = async (prefix: string, count: number, calls: number) => {
    const worlds: Record<string, string>[] = []
    for (let number = 0; number < count; number++) {
      const id = `${prefix}-${number}`
      const { personas } = await send({ method: 'POST', path: '/mock/worlds', body: { id } })
      const { token } = personas.find(({ key }: { key: string }) => key === 'alice')
      worlds.push({ 'x-world': id, authorization: `Bearer ${token}` })
    }
    const times: number[] = []
    let sent = 0
    const work = async () => {
      for (let n = sent++; n < calls; n = sent++) times.push(await time(() => send(MIX[n % MIX.length]!(n), worlds[n % count])))
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    for (const world of worlds) await send({ method: 'DELETE', path: `/mock/worlds/${world['x-world']}` })
    return times
  }
  // A server for testers has been running for a while, and so has their client; the worlds are new.
  await measure('warm', WARM_WORLDS, WARM_CALLS)
  const times = await measure('mixed', WORLDS, CALLS)
  return absolute(quantile(times, 0.95), 'ms')
}

export const mockServer: Row[] = [
  { id: 'M2', name: 'map tile, uncached, 95th percentile', floor: 'nothing', goal: atMost(15), measure: measureTiles },
  {
    id: 'M3/deviating',
    name: '1,000 trackers read tolerantly, all deviate',
    floor: 'read strictly',
    goal: atMost(3),
    measure: measureReading,
  },
  ofWorlds('M4/created', 'world created, 95th percentile', 20, (mock) =>
    percentile95(
      (round) => post(mock, '/mock/worlds', { id: `round-${round}` }),
      (round) => mock.worlds.remove(`round-${round}`),
    ),
  ),
  ofWorlds('M4/memory', `${MANY} worlds in memory`, 1024, async (mock) => {
    const before = process.memoryUsage.rss()
    for (let number = 0; number < MANY; number++) await post(mock, '/mock/worlds', { id: `many-${number}` })
    return absolute((process.memoryUsage.rss() - before) / MEGABYTE, 'MB')
  }),
  {
    id: 'M4/mixed',
    name: `${CALLS.toLocaleString('en')} mixed calls in ${WORLDS} worlds, ${AT_ONCE} at once, 95th percentile`,
    floor: 'nothing',
    goal: atMost(40),
    tier: 'all',
    measure: measureMixed,
  },
]
