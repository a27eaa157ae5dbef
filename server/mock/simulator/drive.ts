import { distanceMeters, type LatLng } from '#contracts/rules/geo.ts'
import { between } from '#db/seed/journeys/plane.ts'
import type { Due } from './due-fixes.ts'

/** A way that somebody sent a tracker on, instead of the life it leads. */
export type Drive = { begin: number; end: number; metres: number; fixes: Due[] }

/** How exact a fix under way is, in metres. */
const PRECISION = 5

/** Along `points` at a steady pace from the second `begin` on, a fix every so many seconds and one at the end. */
export function driveAlong(
  points: LatLng[],
  { begin, metresPerSecond, every }: { begin: number; metresPerSecond: number; every: number },
): Drive {
  const lengths = points.slice(1).map((point, index) => distanceMeters(points[index]!, point))
  const metres = lengths.reduce((sum, length) => sum + length, 0)
  const end = begin + Math.ceil(metres / metresPerSecond)
  const seconds: number[] = []
  for (let second = begin; second < end; second += every) seconds.push(second)
  const fixes = [...seconds, end].map((second) => ({
    ...pointAt(points, lengths, Math.min(metres, (second - begin) * metresPerSecond)),
    second,
    precision: PRECISION,
    isMoving: second < end,
    appliesMode: false,
  }))
  return { begin, end, metres: Math.round(metres), fixes }
}

function pointAt(points: LatLng[], lengths: number[], metres: number): LatLng {
  let rest = metres
  for (const [index, length] of lengths.entries()) {
    if (rest <= length && length > 0) return between(points[index]!, points[index + 1]!, rest / length)
    rest -= length
  }
  return points.at(-1)!
}
