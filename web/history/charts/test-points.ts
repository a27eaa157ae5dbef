import type { HistoryPoint } from '#contracts/positions.ts'
import { finish } from '#contracts/rules/work.ts'
import { toPositionColumns } from '#contracts/track/columns.ts'
import { prepareTrack } from '#web/history/track/track.ts'

export const START = Date.parse('2026-03-02T08:00:00Z')
const METERS_PER_DEGREE = 111_195

type Spot = { minute: number; meters: number; battery?: number | null; address?: string | null }

/** Positions on one meridian: `meters` north of the first, `minute` minutes after START. */
export const createPoints = (spots: readonly Spot[]): HistoryPoint[] =>
  spots.map(({ minute, meters, battery = null, address = null }, index) => ({
    id: index + 1,
    lat: meters / METERS_PER_DEGREE,
    lng: 1,
    precision: 5,
    datetime: new Date(START + minute * 60_000).toISOString(),
    address,
    event: null,
    battery,
  }))

/** Ten minutes at home, a kilometre in ten minutes, ten minutes there. */
export const walk = createPoints([
  { minute: 0, meters: 0, battery: 90, address: 'Calle Uno 1, Centro, Montevideo' },
  { minute: 5, meters: 0 },
  { minute: 10, meters: 0 },
  { minute: 15, meters: 500, battery: 88 },
  { minute: 20, meters: 1000, address: 'Plaza Dos 2, Centro, Montevideo' },
  { minute: 25, meters: 1000, battery: -1 },
  { minute: 30, meters: 1000, battery: 87 },
])

export const buildTrack = (points: readonly HistoryPoint[]) => finish(prepareTrack(toPositionColumns(points)))
