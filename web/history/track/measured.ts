import { fixAt } from '#contracts/rules/history/fixes.ts'
import type { PositionColumns } from '#contracts/track/columns.ts'
import type { Track } from './track.ts'

/** km/h at a position: as the device measured it, else as computed from the previous position. */
export function speedAt({ positions, kmh }: Pick<Track, 'positions' | 'kmh'>, index: number) {
  const own = positions.speed[index] ?? Number.NaN
  return Number.isNaN(own) ? (kmh[index] ?? 0) : own
}

/** Metres above sea level; null if the device did not report it. */
export const heightAt = ({ altitude }: PositionColumns, index: number): number | null => numberOrNull(altitude[index])

/** The height between two positions at `time`; the first height when the second is unknown. */
export function heightBetween(positions: PositionColumns, index: number, time: number): number | null {
  const [from, to] = [heightAt(positions, index), heightAt(positions, index + 1)]
  if (from === null || to === null) return from
  const [start, end] = [fixAt(positions, index).datetime, fixAt(positions, index + 1).datetime]
  return end > start ? from + (to - from) * Math.min(1, Math.max(0, (time - start) / (end - start))) : from
}

/** The course between two positions in degrees, by the shorter turn; null unless the device measured both. */
export function courseBetween({ course }: PositionColumns, index: number, share: number): number | null {
  const [from, to] = [course[index] ?? Number.NaN, course[index + 1] ?? Number.NaN]
  const turn = ((to - from + 540) % 360) - 180
  return numberOrNull((from + turn * share + 360) % 360)
}

/** Metres. */
export type Heights = { lowest: number; highest: number; climb: number }

/** Smaller differences of a day may be inaccuracy: a receiver's height is two to three times less accurate than its position. */
const MIN_RANGE_METERS = 30
/** Smaller ups and downs do not count as climbing. */
const STEP_METERS = 10

/** Heights on the trips of a track; null where they are unknown or hardly differ. Heights during stops don't count, because indoors they drift. */
export function summarizeHeights({ positions, legs }: Pick<Track, 'positions' | 'legs'>): Heights | null {
  let [lowest, highest, climb, level] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, Number.NaN]
  for (const { kind, first, last } of legs) {
    if (kind !== 'trip') continue
    for (let index = first; index <= last; index++) {
      const height = heightAt(positions, index)
      if (height === null) continue
      lowest = Math.min(lowest, height)
      highest = Math.max(highest, height)
      if (Math.abs(height - level) < STEP_METERS) continue
      if (height > level) climb += height - level
      level = height
    }
  }
  return highest - lowest > MIN_RANGE_METERS ? { lowest, highest, climb } : null
}

const numberOrNull = (value = Number.NaN) => (Number.isNaN(value) ? null : value)
