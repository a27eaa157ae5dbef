import { EVENT_TYPES, POSITION_MARKS } from '#contracts/lib/constants.ts'
import type { HistoryPoint } from '#contracts/positions.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { EncodablePosition } from '#contracts/track/codec.ts'
import { addressOf } from '#db/addresses.ts'
import { fromFixed7, type PositionRow } from '#db/positions.ts'
import type { Geocoder } from '#server/ports/world.ts'

/** Keeps ids of two million trackers within safe integers, with one per second until 2106. */
const SECONDS = 2 ** 32

/** The second of the position with an id; null for one of another tracker. */
export const timeOfPosition = (deviceId: number, id: number) => {
  const time = id - deviceId * SECONDS
  return time >= 0 && time < SECONDS ? time : null
}

export function presentPoint(deviceId: number, row: PositionRow, geocode: Geocoder): HistoryPoint {
  const { id, time, precision, address, event, battery, speed, course, altitude, mark } = presentCompactPoint(deviceId, row, geocode)
  const point = { lat: fromFixed7(row.lat), lng: fromFixed7(row.lng) }
  return {
    id,
    ...point,
    precision,
    datetime: formatInstant(new Date(time * 1000)),
    address,
    event,
    battery,
    ...(speed !== null && { speed: speed / 10 }),
    ...(course !== null && { course }),
    ...(altitude !== null && { altitude }),
    ...(mark !== null && { mark }),
  }
}

/** The same position with its numbers as they are stored. Field by field, because a spread takes five times as long. */
export function presentCompactPoint(deviceId: number, row: PositionRow, { nearest }: Geocoder): EncodablePosition {
  const { time, lat, lng, precision, event, battery, speed, course, altitude, mark } = row
  return {
    id: deviceId * SECONDS + time,
    time,
    lat,
    lng,
    precision,
    event: (event === null ? null : EVENT_TYPES[event]) ?? null,
    address: addressOf(nearest, { lat: fromFixed7(lat), lng: fromFixed7(lng) }),
    battery,
    speed,
    course,
    altitude,
    mark: (mark === null ? null : POSITION_MARKS[mark]) ?? null,
  }
}
