import { POSITION_MARKS } from '#contracts/lib/constants.ts'
import { fromFixed7, type NewPosition, toFixed7 } from '#db/positions.ts'
import { offsetBy } from './local-geometry.ts'

type Oddity = { minute: number; second: number; mark: (typeof POSITION_MARKS)[number]; east?: number; north?: number; precision?: number }

/** Positions that a receiver in a pocket reports wrongly now and then: minutes from the anchor, seconds after the right position before it, metres away. */
const ODDITIES: readonly Oddity[] = [
  { minute: -71, second: 9, mark: 'zero' },
  { minute: -66, second: 11, mark: 'jump', east: 5200, north: 3900 },
  { minute: -64, second: 10, mark: 'vague', east: 420, north: -260, precision: 1800 },
  { minute: -12, second: 7, mark: 'run', east: -7400, north: 2600 },
  { minute: -12, second: 13, mark: 'run', east: -7420, north: 2630 },
  { minute: -12, second: 19, mark: 'run', east: -7390, north: 2650 },
]

/** A history with a few positions that look wrong, already marked. Times are in seconds from the anchor. */
export function withOddities(rows: readonly NewPosition[]): NewPosition[] {
  const odd = ODDITIES.flatMap(({ minute, second, mark, east, north, precision }) => {
    const before = rows.findLast(({ time }) => time <= minute * 60)
    if (!before) return []
    const point = { lat: fromFixed7(before.lat), lng: fromFixed7(before.lng) }
    const { lat, lng } = mark === 'zero' ? { lat: 0, lng: 0 } : offsetBy(point, east ?? 0, north ?? 0)
    const place = { lat: toFixed7(lat), lng: toFixed7(lng), precision: precision ?? before.precision }
    return { ...before, ...place, time: before.time + second, event: null, mark: POSITION_MARKS.indexOf(mark) }
  })
  const known = new Set(rows.map(({ time }) => time))
  return [...rows, ...odd.filter(({ time }) => !known.has(time))].sort((a, b) => a.time - b.time)
}
