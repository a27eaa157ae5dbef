import * as z from 'zod/mini'
import { Device } from '#contracts/devices.ts'
import { readTolerantly } from '#contracts/reader/tolerant.ts'
import { openTestCity } from '#server/mock/city/testing.ts'
import { createTiles } from '#server/mock/tiles/render.ts'
import { backends } from '#server/test/stand-ins/backends.ts'
import { applyToBody, type Json } from '#server/test/stand-ins/habit.ts'
import { aboutEndpoint } from '#server/test/stand-ins/test-about.ts'
import { startPortal } from '#server/test/start-portal.ts'
import type { Result } from './compare.ts'

const GOAL_MS = 15

/** Measures the 95th percentile of the time to draw uncached city tiles with a warm renderer, in ms. */
export async function measureTiles(): Promise<Result> {
  const tiles = createTiles(await openTestCity())
  const times: number[] = []
  for (const [z, x, y] of [
    [13, 2814, 4939],
    [14, 5629, 9878],
    [15, 11_258, 19_757],
    [16, 22_517, 39_515],
  ] as const) {
    tiles.render(z, x - 3, y - 3, 'light')
    for (let i = 0; i < 25; i++) {
      const begin = process.hrtime.bigint()
      tiles.render(z, x + (i % 5), y - Math.floor(i / 5), 'light')
      times.push(Number(process.hrtime.bigint() - begin) / 1e6)
    }
  }
  const percentile95 = times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)]!
  return {
    name: 'map tile, uncached, 95th percentile',
    ours: `${percentile95.toFixed(1)} ms`,
    floor: `${GOAL_MS} ms`,
    ratio: GOAL_MS / percentile95,
    goal: 1,
  }
}

const TRACKERS = 1000
const READINGS = 40
/** How many times as long as the strict reading the tolerant one may take. */
const MOST = { kept: 1.3, deviating: 3 }

const Devices = z.array(Device)

/** Reads a list of trackers from text tolerantly and strictly, as it keeps the contract and as Django REST framework would send it. */
export async function measureReading(): Promise<Result[]> {
  await using portal = await startPortal({ noted: false })
  const { body } = await portal.call('alice@example.com', 'GET', '/devices/?type=tracker')
  const devices = Array.from({ length: TRACKERS }, (_, index) => ({ ...body[index % body.length], id: index + 1 })) as Json
  const kept = JSON.stringify(devices)
  const deviating = JSON.stringify(applyToBody(backends.djangoRestFramework, devices, aboutEndpoint('devices.list')))
  const strict = () => Devices.safeParse(JSON.parse(kept)).success
  const tolerant = (text: string) => () => readTolerantly(Devices, JSON.parse(text)).ok
  return [
    compareTimes(`${TRACKERS} trackers read, none deviates`, tolerant(kept), strict, MOST.kept),
    compareTimes(`${TRACKERS} trackers read, all deviate`, tolerant(deviating), strict, MOST.deviating),
  ]
}

/** Alternates the rounds, and keeps the best of each. */
function compareTimes(name: string, work: () => boolean, floor: () => boolean, most: number): Result {
  let [best, bestFloor] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < READINGS; round++) {
    bestFloor = Math.min(bestFloor, time(floor))
    best = Math.min(best, time(work))
  }
  const goal = Math.round(100 / most) / 100
  return { name, ours: `${best.toFixed(1)} ms`, floor: `${bestFloor.toFixed(1)} ms`, ratio: bestFloor / best, goal }
}

function time(work: () => boolean) {
  const begin = performance.now()
  if (!work()) throw new Error('The list of trackers is unreadable')
  return performance.now() - begin
}

const ROUNDS = 200
const MANY = 300
const MEGABYTE = 1024 * 1024

type Measurement = { name: string; value: number; unit: string; goal: number }

export async function measureWorlds(): Promise<Measurement[]> {
  await using portal = await startPortal({ noted: false })
  const post = async (url: string, payload: object, world = 'main') => {
    const answer = await portal.app.inject({ method: 'POST', url, payload, headers: { 'x-world': world } })
    if (answer.statusCode >= 300) throw new Error(`${url} responded with ${answer.statusCode}: ${answer.body}`)
  }
  await post('/mock/worlds', { id: 'warm' })
  const made = await percentile95(async (round) => {
    await post('/mock/worlds', { id: `round-${round}` })
    return () => portal.worlds.remove(`round-${round}`)
  })
  const reset = await percentile95(() => post('/mock/reset', {}, 'warm'))
  const before = process.memoryUsage.rss()
  for (let number = 0; number < MANY; number++) await post('/mock/worlds', { id: `many-${number}` })
  const weight = (process.memoryUsage.rss() - before) / MEGABYTE
  return [
    { name: 'world created, p95', value: made, unit: 'ms', goal: 20 },
    { name: 'world reset, p95', value: reset, unit: 'ms', goal: 20 },
    { name: `${MANY} worlds in memory`, value: weight, unit: 'MB', goal: 1024 },
  ]
}

async function percentile95(work: (round: number) => Promise<void | (() => Promise<void>)>) {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const begin = performance.now()
    const tidy = await work(round)
    times.push(performance.now() - begin)
    await tidy?.()
  }
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS * 0.95)]!
}

export function printMeasurement({ name, value, unit, goal }: Measurement) {
  const verdict = value <= goal ? 'ok' : 'ABOVE ITS GOAL'
  console.log(`${name.padEnd(48)} ${`${value.toFixed(1)} ${unit}`.padStart(10)}   goal ${goal} ${unit}   ${verdict}`)
}
