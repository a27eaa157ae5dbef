import { bearingDegrees, distanceMeters, type LatLng } from '#contracts/rules/geo/coordinates.ts'
import { interpolate } from '#server/mock/seed/journeys/local-geometry.ts'
import type { DueFix } from './due-fixes.ts'

/** Manual control of the trackers of a world, in seconds from the anchor. A snapshot or a restart loses it. */
export type Steering = ReturnType<typeof createSteering>

export function createSteering() {
  const drives = new Map<string, Drive>()
  const silences = new Map<string, number>()
  return {
    isRunning: true,
    drives,
    /** The second until which a tracker is silent, by identifier. */
    silences,
    /** Returns the fixes a tracker sends in a span, where `own` are those of its normal movement. */
    steer(identifier: string, own: DueFix[], from: number, to: number): DueFix[] {
      if (!this.isRunning) return []
      const drive = drives.get(identifier)
      const ownFixes = drive ? own.filter(({ second }) => second < drive.begin || second > drive.end) : own
      const steered = drive?.fixes.filter(({ second }) => second >= from && second <= to) ?? []
      const silence = silences.get(identifier) ?? Number.NEGATIVE_INFINITY
      return [...ownFixes, ...steered].filter(({ second }) => second > silence).sort((a, b) => a.second - b.second)
    },
  }
}

/** A route that overrides the tracker's normal movement for a while. */
export type Drive = { begin: number; end: number; metres: number; fixes: DueFix[] }

/** Limits the number of fixes of a drive, which are all held in memory. */
export const MAX_FIXES = 10_000

type Pace = { metresPerSecond: number; every: number }

/** The number of fixes a drive would have, including the one at its end. */
export const countFixes = (points: LatLng[], { metresPerSecond, every }: Pace) =>
  Math.ceil(Math.ceil(totalLength(legLengths(points)) / metresPerSecond) / every) + 1

const legLengths = (points: LatLng[]) => points.slice(1).map((point, index) => distanceMeters(points[index]!, point))

const totalLength = (lengths: number[]) => lengths.reduce((sum, length) => sum + length, 0)

/** Accuracy of a fix on a drive, in metres. */
const PRECISION_METRES = 5

/** Plans a drive along `points` at a steady speed from second `begin`, with a fix every `every` seconds and one at the end. */
export function planDrive(points: LatLng[], { begin, metresPerSecond, every }: Pace & { begin: number }): Drive {
  const lengths = legLengths(points)
  const metres = totalLength(lengths)
  const pointAt = createWalker(points, lengths)
  const end = begin + Math.ceil(metres / metresPerSecond)
  const seconds: number[] = []
  for (let second = begin; second < end; second += every) seconds.push(second)
  const speed = Math.round(metresPerSecond * 36) / 10
  const way = [...seconds, end].map((second) => ({ second, point: pointAt(Math.min(metres, (second - begin) * metresPerSecond)) }))
  const fixes = way.map(({ second, point }, index) => ({
    ...point,
    measured: measureDrive(point, way[index + 1]?.point, speed),
    second,
    precision: PRECISION_METRES,
    isMoving: second < end,
    appliesMode: false,
  }))
  return { begin, end, metres: Math.round(metres), fixes }
}

/** The tracker drives towards `next`; without it, it has arrived. */
const measureDrive = (point: LatLng, next: LatLng | undefined, speed: number) =>
  next ? { speed, course: Math.round(bearingDegrees(point, next)) % 360 } : { speed: 0 }

/** Returns the point at a distance from the start; distances must be requested in ascending order. */
function createWalker(points: LatLng[], lengths: number[]) {
  let leg = 0
  let passed = 0
  return (metres: number): LatLng => {
    while (leg < lengths.length && (metres - passed > lengths[leg]! || lengths[leg] === 0)) passed += lengths[leg++]!
    return leg < lengths.length ? interpolate(points[leg]!, points[leg + 1]!, (metres - passed) / lengths[leg]!) : points.at(-1)!
  }
}

const JUMP_METRES = { least: 3000, more: 20_000 }
const METRES_PER_DEGREE = 111_195

/** Displaces fixes by about `noise` metres, and some of them, except the first and the last, by kilometres. */
export function addNoise(fixes: DueFix[], { noise, jumps }: { noise: number; jumps: number }, random: () => number): DueFix[] {
  if (noise === 0 && jumps === 0) return fixes
  return fixes.map((fix, index) => {
    const isJump = random() < jumps && index > 0 && index < fixes.length - 1
    const metres = isJump ? JUMP_METRES.least + JUMP_METRES.more * random() : noise * 2 * random()
    const angle = 2 * Math.PI * random()
    const north = (metres * Math.cos(angle)) / METRES_PER_DEGREE
    const east = (metres * Math.sin(angle)) / METRES_PER_DEGREE / Math.max(0.01, Math.cos((fix.lat * Math.PI) / 180))
    return {
      ...fix,
      lat: Math.max(-90, Math.min(90, fix.lat + north)),
      lng: ((fix.lng + east + 540) % 360) - 180,
      precision: Math.max(fix.precision, Math.round(noise)),
    }
  })
}
