import { distanceMeters, type LatLng } from '#contracts/rules/geo.ts'
import { between } from '#server/mock/seed/journeys/plane.ts'
import type { Due } from './due-fixes.ts'

/** A way that somebody sent a tracker on, instead of the life it leads. */
export type Drive = { begin: number; end: number; metres: number; fixes: Due[] }

/** As many reports as a drive has at most: all of them are kept at once. */
export const MOST_FIXES = 10_000

type Pace = { metresPerSecond: number; every: number }

/** How many reports a way has at a pace, the one at its end included. */
export const countFixes = (points: LatLng[], { metresPerSecond, every }: Pace) =>
  Math.ceil(Math.ceil(sumOf(lengthsOf(points)) / metresPerSecond) / every) + 1

const lengthsOf = (points: LatLng[]) => points.slice(1).map((point, index) => distanceMeters(points[index]!, point))

const sumOf = (lengths: number[]) => lengths.reduce((sum, length) => sum + length, 0)

/** How exact a fix under way is, in metres. */
const PRECISION = 5

/** Along `points` at a steady pace from the second `begin` on, a fix every so many seconds and one at the end. */
export function driveAlong(points: LatLng[], { begin, metresPerSecond, every }: Pace & { begin: number }): Drive {
  const lengths = lengthsOf(points)
  const metres = sumOf(lengths)
  const pointAt = walk(points, lengths)
  const end = begin + Math.ceil(metres / metresPerSecond)
  const seconds: number[] = []
  for (let second = begin; second < end; second += every) seconds.push(second)
  const fixes = [...seconds, end].map((second) => ({
    ...pointAt(Math.min(metres, (second - begin) * metresPerSecond)),
    second,
    precision: PRECISION,
    isMoving: second < end,
    appliesMode: false,
  }))
  return { begin, end, metres: Math.round(metres), fixes }
}

/** Where somebody is after so many metres, asked for in ascending order. */
function walk(points: LatLng[], lengths: number[]) {
  let leg = 0
  let passed = 0
  return (metres: number): LatLng => {
    while (leg < lengths.length && (metres - passed > lengths[leg]! || lengths[leg] === 0)) passed += lengths[leg++]!
    return leg < lengths.length ? between(points[leg]!, points[leg + 1]!, (metres - passed) / lengths[leg]!) : points.at(-1)!
  }
}
