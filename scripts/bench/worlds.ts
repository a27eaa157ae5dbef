import { startPortal } from '#server/test/start-portal.ts'

const ROUNDS = 200
const MANY = 300
const MEGABYTE = 1024 * 1024

type Line = { name: string; value: number; unit: string; goal: number }

/** Measures how long it takes to create and reset worlds from a warm template, and how much memory many worlds need. */
export async function worldLines(): Promise<Line[]> {
  await using portal = await startPortal({ noted: false })
  const post = async (url: string, payload: object, world = 'main') => {
    const answer = await portal.app.inject({ method: 'POST', url, payload, headers: { 'x-world': world } })
    if (answer.statusCode >= 300) throw new Error(`${url} answered ${answer.statusCode}: ${answer.body}`)
  }
  await post('/mock/worlds', { id: 'warm' })
  const made = await p95(async (round) => {
    await post('/mock/worlds', { id: `round-${round}` })
    return () => portal.worlds.remove(`round-${round}`)
  })
  const reset = await p95(() => post('/mock/reset', {}, 'warm'))
  const before = process.memoryUsage.rss()
  for (let number = 0; number < MANY; number++) await post('/mock/worlds', { id: `many-${number}` })
  const weight = (process.memoryUsage.rss() - before) / MEGABYTE
  return [
    { name: 'world made, p95', value: made, unit: 'ms', goal: 20 },
    { name: 'world put back, p95', value: reset, unit: 'ms', goal: 20 },
    { name: `${MANY} worlds weigh`, value: weight, unit: 'MB', goal: 1024 },
  ]
}

async function p95(work: (round: number) => Promise<void | (() => Promise<void>)>) {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const begin = performance.now()
    const tidy = await work(round)
    times.push(performance.now() - begin)
    await tidy?.()
  }
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS * 0.95)]!
}

export function reportLine({ name, value, unit, goal }: Line) {
  const verdict = value <= goal ? 'ok' : 'ABOVE ITS GOAL'
  console.log(`${name.padEnd(48)} ${`${value.toFixed(1)} ${unit}`.padStart(10)}   goal ${goal} ${unit}   ${verdict}`)
}
