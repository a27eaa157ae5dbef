import { type Fix, type LatLng, pointBetween } from '#contracts/rules/geo/coordinates.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contracts/rules/time.ts'

export const HOME = { lat: -34.9, lng: -56.17 }
/** A Monday, in UTC. */
export const MONDAY = Date.UTC(2026, 2, 2)

/** A trip of each week: from home at an hour of one day of the week (0 is Monday) to a point, an hour there, and back. */
export type Outing = { day: number; hour: number; to: LatLng }

/** The point so many metres north and east of another. */
export const move = ({ lat, lng }: LatLng, north: number, east: number): LatLng => ({
  lat: lat + north / 111_195,
  lng: lng + east / (111_195 * Math.cos((lat * Math.PI) / 180)),
})

const WALK_MINUTES = 30
const STEP_MINUTES = 2

function* walk(from: LatLng, to: LatLng, start: number): Generator<Fix> {
  for (let minute = 0; minute <= WALK_MINUTES; minute += STEP_MINUTES)
    yield { ...pointBetween(from, to, minute / WALK_MINUTES), datetime: start + minute * MINUTE_MS, precision: 10 }
}

/** A tracker that is at home, reports twice an hour, and repeats its outings each week. */
export function repeatWeeks(weeks: number, outings: readonly Outing[]): Fix[] {
  const fixes: Fix[] = []
  const isOut = (at: number) =>
    outings.some(({ day, hour }) => {
      const since = (at - MONDAY - day * DAY_MS - hour * HOUR_MS) % (7 * DAY_MS)
      return since >= 0 && since <= 2 * HOUR_MS
    })
  for (let at = MONDAY; at < MONDAY + weeks * 7 * DAY_MS; at += HOUR_MS / 2)
    if (!isOut(at)) fixes.push({ ...HOME, datetime: at, precision: 10 })
  for (let week = 0; week < weeks; week++)
    for (const { day, hour, to } of outings) {
      const start = MONDAY + (7 * week + day) * DAY_MS + hour * HOUR_MS
      fixes.push(...walk(HOME, to, start), { ...to, datetime: start + HOUR_MS, precision: 10 }, ...walk(to, HOME, start + 1.5 * HOUR_MS))
    }
  return fixes.sort((a, b) => a.datetime - b.datetime)
}
