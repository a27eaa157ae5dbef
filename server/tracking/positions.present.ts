import { EVENT_TYPES } from '#contracts/lib/constants.ts'
import type { HistoryPoint } from '#contracts/positions.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { addressOf } from '#db/addresses.ts'
import { fromFixed7, type PositionRow } from '#db/positions.ts'
import type { Geocoder } from '#server/ports/world.ts'

/** Keeps ids of two million trackers within safe integers, with one per second until 2106. */
const SECONDS = 2 ** 32

export function presentPoint(deviceId: number, row: PositionRow, geocode: Geocoder): HistoryPoint {
  const point = { lat: fromFixed7(row.lat), lng: fromFixed7(row.lng) }
  return {
    id: deviceId * SECONDS + row.time,
    ...point,
    precision: row.precision,
    datetime: formatInstant(new Date(row.time * 1000)),
    address: addressOf(geocode.nearest, point),
    event: (row.event === null ? null : EVENT_TYPES[row.event]) ?? null,
    battery: row.battery,
  }
}
