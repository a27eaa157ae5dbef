import type { LatLng } from '#contracts/rules/geo/coordinates.ts'

/** From slow to fast: blue, violet, pink. */
export const SPEED_COLOURS = ['#2563eb', '#4a5be9', '#6350ec', '#7c3aed', '#9d35d6', '#bd2fbb', '#db2777'] as const

/** The colour of a speed on a scale from 0 to `top`. */
export const speedColour = (speed: number, top: number): string => SPEED_COLOURS[colourIndex(speed, top)] ?? SPEED_COLOURS[0]

const colourIndex = (speed: number, top: number) => {
  const share = top > 0 ? Math.max(0, Math.min(1, speed / top)) : 0
  return Math.min(SPEED_COLOURS.length - 1, Math.floor(share * SPEED_COLOURS.length))
}

export type Run = { colour: string; points: LatLng[] }

/**
 * Splits a trace where its colour changes. `speeds[i]` is the speed with which point i was reached. Each run starts at the last point of
 * the one before.
 */
export function speedRuns(points: readonly LatLng[], speeds: readonly number[], top: number): Run[] {
  const runs: Run[] = []
  for (const [index, point] of points.entries()) {
    const before = points[index - 1]
    if (!before) continue
    const colour = speedColour(speeds[index] ?? 0, top)
    const last = runs.at(-1)
    if (last?.colour === colour) last.points.push(point)
    else runs.push({ colour, points: [before, point] })
  }
  return runs
}
