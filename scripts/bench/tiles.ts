import { openTestCity } from '#server/mock/city/testing.ts'
import { createTiles } from '#server/mock/tiles/render.ts'
import type { Result } from './compare.ts'

const GOAL_MS = 15

/** Measures the 95th percentile of the time to draw uncached city tiles with a warm renderer, in ms. */
export async function tileRow(): Promise<Result> {
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
  const p95 = times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)]!
  return {
    name: 'map tile, drawn afresh, 95th percentile',
    ours: `${p95.toFixed(1)} ms`,
    floor: `${GOAL_MS} ms`,
    ratio: GOAL_MS / p95,
    goal: 1,
  }
}
