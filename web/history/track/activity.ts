import { distanceMeters } from '#contracts/rules/geo/coordinates.ts'
import type { Bounds } from './period.ts'
import type { Track } from './track.ts'

/** Movement in each of `count` equal parts of a period, scaled so that the busiest part is 1. */
export function computeActivity({ fixes, legs }: Track, { start, end }: Bounds, count: number): number[] {
  const width = (end - start) / count
  const bars = Array.from({ length: count }, () => 0)
  const spread = (from: number, to: number, meters: number) => {
    const last = Math.min(count - 1, Math.floor((to - start) / width))
    for (let bar = Math.max(0, Math.floor((from - start) / width)); bar <= last; bar++) {
      const within = Math.min(to, start + (bar + 1) * width) - Math.max(from, start + bar * width)
      bars[bar] = (bars[bar] ?? 0) + (to > from ? (meters * within) / (to - from) : 0)
    }
  }
  for (const { kind, first, last } of legs) {
    if (kind !== 'trip') continue
    for (let index = first; index < last; index++) {
      const [a, b] = [fixes[index], fixes[index + 1]]
      if (a && b) spread(a.datetime, b.datetime, distanceMeters(a, b))
    }
  }
  const most = Math.max(...bars)
  return most > 0 ? bars.map((meters) => meters / most) : bars
}
