import { type Call, load } from './load.ts'

export type Row = { name: string; ours: Call; floor: { url: string; bytes: number }; status: number; amount: number; goal: number }
export type Result = { name: string; ours: string; floor: string; ratio: number; goal: number }

const ROUNDS = 8
const CONNECTIONS = 16

/** Alternates the rounds so that both servers meet the same load on the machine, and keeps the best round of each. */
export async function compare({ name, ours, floor, status, amount, goal }: Row): Promise<Result> {
  let [best, bestFloor] = [0, 0]
  for (let round = 0; round < ROUNDS; round++) {
    bestFloor = Math.max(bestFloor, await load({ ...ours, url: floor.url }, { amount, connections: CONNECTIONS, status: 200 }))
    best = Math.max(best, await load(ours, { amount, connections: CONNECTIONS, status }))
  }
  return {
    name: `${name}, ${floor.bytes} B`,
    ours: `${best.toFixed(0)}/s`,
    floor: `${bestFloor.toFixed(0)}/s`,
    ratio: best / bestFloor,
    goal,
  }
}

export function report({ name, ours, floor, ratio, goal }: Result) {
  const verdict = ratio >= goal ? 'ok' : 'BELOW ITS GOAL'
  console.log(
    `${name.padEnd(48)} ${ours.padStart(10)}   floor ${floor.padStart(10)}   ratio ${ratio.toFixed(2)}   goal ${goal}   ${verdict}`,
  )
}
