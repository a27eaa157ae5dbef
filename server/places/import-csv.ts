import { setImmediate } from 'node:timers/promises'
import { CSV_MAX_ROWS, PLACE_RADIUS } from '#contracts/lib/constants.ts'
import type { LineErrors } from '#contracts/lib/errors.ts'
import { type PlaceCsvFaults, type PlaceCsvRow, parsePlaceCsvHeader, parsePlaceCsvRow } from '#contracts/rules/geo/place-csv.ts'
import { Failure } from '#server/lib/errors.ts'
import type { Geocoder } from '#server/ports/world.ts'
import { parseCsvRecords } from './csv-records.ts'
import { locateAddress } from './locate.ts'

/** Rows between two yields to the event loop; finding an address takes about a millisecond. */
const ROWS_PER_TICK = 20
/** Limits how much of an invalid header the response repeats. */
const HEADER_ECHO_LIMIT = { columns: 10, characters: 60 }

type LocatedRow = PlaceCsvRow & { radius: number; lat: number; lng: number }

/** Reads a CSV of places; returns the valid rows with the coordinates of their addresses, and the errors of the others. */
export async function parsePlaces(bytes: AsyncIterable<Uint8Array>, geocode: Geocoder) {
  const rows: LocatedRow[] = []
  const errors: LineErrors[] = []
  let order: Parameters<typeof parsePlaceCsvRow>[1] | undefined
  let count = 0
  for await (const { line, cells } of parseCsvRecords(bytes)) {
    if (!order) {
      order = parseHeader(cells ?? [])
      continue
    }
    if (++count > CSV_MAX_ROWS) throw new Failure('too_many_rows')
    if (count % ROWS_PER_TICK === 0) await setImmediate()
    const read = cells ? parsePlaceCsvRow(cells, order) : { faults: { row: ['quotes'] } }
    const place = 'row' in read ? await locateRow(read.row, geocode) : read
    if ('row' in place) rows.push(place.row)
    else errors.push({ line, errors: place.faults })
  }
  if (!order) parseHeader([])
  return { rows, errors }
}

function parseHeader(cells: string[]) {
  const header = parsePlaceCsvHeader(cells)
  if ('order' in header) return header.order
  const unexpected = header.unexpected.slice(0, HEADER_ECHO_LIMIT.columns).map((name) => name.slice(0, HEADER_ECHO_LIMIT.characters))
  throw new Failure('csv_header', { missing: header.missing, unexpected })
}

async function locateRow(row: PlaceCsvRow, geocode: Geocoder): Promise<{ row: LocatedRow } | { faults: PlaceCsvFaults }> {
  const spot = await locateAddress(geocode, row.address)
  return spot ? { row: { ...row, ...spot, radius: PLACE_RADIUS.default } } : { faults: { address: ['not_found'] } }
}
