import { setImmediate } from 'node:timers/promises'
import type { LineErrors } from '#contracts/lib/errors.ts'
import type { PlaceCsvFaults, PlaceCsvRow } from '#contracts/rules/geo/place-csv.ts'
import { toFixed7 } from '#db/positions.ts'
import { Failure } from '#server/lib/errors.ts'
import type { Geocoder } from '#server/ports/world.ts'
import { type Border, toColumns } from './borders.ts'
import type { PlaceRecord } from './read-places.ts'

/** A point as stored with places: degrees times 1e7. */
type ScaledPoint = { lat: number; lng: number }

export const scalePoint = ({ lat, lng }: { lat?: number | undefined; lng?: number | undefined }): ScaledPoint | undefined =>
  lat === undefined || lng === undefined ? undefined : { lat: toFixed7(lat), lng: toFixed7(lng) }

async function locateAddress({ search }: Geocoder, address: string): Promise<ScaledPoint | undefined> {
  const [house] = await search(address, 1)
  return house && scalePoint(house)
}

export async function requireLocation(geocode: Geocoder, address: string): Promise<ScaledPoint> {
  const spot = await locateAddress(geocode, address)
  if (!spot) throw new Failure('address_not_found', { errors: { address: ['Not found'] } })
  return spot
}

/** Rows between two yields to the event loop; finding an address takes about a millisecond. */
const ROWS_PER_TICK = 20

type LocatedRow = Pick<PlaceCsvRow, 'name' | 'address' | 'type'> & Border

/** Returns the valid rows of a csv with the coordinates of their addresses, and the errors of the others. */
export async function locatePlaces(records: readonly PlaceRecord[], geocode: Geocoder) {
  const rows: LocatedRow[] = []
  const errors: LineErrors[] = []
  for (const [index, { line, ...read }] of records.entries()) {
    if (index % ROWS_PER_TICK === 0) await setImmediate()
    const place = 'row' in read ? await locateRow(read.row, geocode) : read
    if ('row' in place) rows.push(place.row)
    else errors.push({ line, errors: place.faults })
  }
  return { rows, errors }
}

async function locateRow(
  { border, radius, ...row }: PlaceCsvRow,
  geocode: Geocoder,
): Promise<{ row: LocatedRow } | { faults: PlaceCsvFaults }> {
  if (border?.shape) return { row: { ...row, ...toColumns(border.shape) } }
  const spot = border ? scalePoint(border) : await locateAddress(geocode, row.address)
  return spot ? { row: { ...row, ...spot, radius, shape: null } } : { faults: { address: ['not_found'] } }
}
