import type { Fix } from '#contracts/rules/geo/coordinates.ts'

/** Fixes in order of time as one typed array per field of `Fix`: a tenth of the memory of objects, and faster to read. */
export type FixColumns = {
  length: number
  datetime: Float64Array
  lat: Float64Array
  lng: Float64Array
  precision: Float64Array
}

export const createFixColumns = (length: number): FixColumns => ({
  length,
  datetime: new Float64Array(length),
  lat: new Float64Array(length),
  lng: new Float64Array(length),
  precision: new Float64Array(length),
})

export function toFixColumns(fixes: readonly Fix[]): FixColumns {
  const columns = createFixColumns(fixes.length)
  for (const [index, { datetime, lat, lng, precision }] of fixes.entries()) {
    columns.datetime[index] = datetime
    columns.lat[index] = lat
    columns.lng[index] = lng
    columns.precision[index] = precision
  }
  return columns
}

/** The fix at `index`; NaN in each field beyond the ends. */
export const fixAt = ({ datetime, lat, lng, precision }: FixColumns, index: number): Fix => ({
  datetime: datetime[index] ?? Number.NaN,
  lat: lat[index] ?? Number.NaN,
  lng: lng[index] ?? Number.NaN,
  precision: precision[index] ?? Number.NaN,
})
