import { distanceBetween, type LatLng } from '#contracts/rules/geo/coordinates.ts'

/** The height of a cell in degrees: 111 m. A cell is about as wide as high, so a row of them has fewer columns near the poles. */
const CELL_DEGREES = 0.001
const CELL_METERS = 111
const ROWS = 180 / CELL_DEGREES
/** More than a row has columns. */
const ROW_SIZE = 2 ** 19

/** Cells of the map by their numbers. */
export type Cells = ReadonlySet<number>

const rowOf = (lat: number) => Math.min(ROWS - 1, Math.max(0, Math.floor((lat + 90) / CELL_DEGREES)))

/** The width of the cells of a row in degrees. A row has a whole number of them. */
const widthOf = (row: number) => 360 / columnsOf(row)
const columnsOf = (row: number) =>
  Math.max(1, Math.round((360 / CELL_DEGREES) * Math.cos((((row + 0.5) * CELL_DEGREES - 90) * Math.PI) / 180)))

const columnOf = (row: number, lng: number) => Math.floor((lng + 180) / widthOf(row))

const numberOf = (row: number, column: number) => {
  const columns = columnsOf(row)
  return row * ROW_SIZE + (((column % columns) + columns) % columns)
}

/** The number of the cell that contains a point. */
export function cellOf({ lat, lng }: LatLng): number {
  const row = rowOf(lat)
  return numberOf(row, columnOf(row, lng))
}

export function centerOf(cell: number): LatLng {
  const row = Math.floor(cell / ROW_SIZE)
  return { lat: (row + 0.5) * CELL_DEGREES - 90, lng: ((cell % ROW_SIZE) + 0.5) * widthOf(row) - 180 }
}

/** The cells in a square around a point, of so many cells to each side. */
export function* cellsAround({ lat, lng }: LatLng, reach: number): Generator<number, void> {
  const middle = rowOf(lat)
  for (let row = Math.max(0, middle - reach); row <= Math.min(ROWS - 1, middle + reach); row++) {
    const column = columnOf(row, lng)
    for (let step = -reach; step <= reach; step++) yield numberOf(row, column + step)
  }
}

/** Metres from a point to the border of a cell; 0 inside. */
export function distanceToCell({ lat, lng }: LatLng, cell: number): number {
  const center = centerOf(cell)
  const half = widthOf(Math.floor(cell / ROW_SIZE)) / 2
  const east = ((lng - center.lng + 540) % 360) - 180
  const nearLat = Math.min(center.lat + CELL_DEGREES / 2, Math.max(center.lat - CELL_DEGREES / 2, lat))
  const nearEast = Math.min(half, Math.max(-half, east))
  return distanceBetween(lat, east, nearLat, nearEast)
}

/** Whether a point is at most so many metres from one of the cells. Its cost grows with the square of the metres, not with the cells. */
export function isNearCells(cells: Cells, point: LatLng, meters: number): boolean {
  for (const cell of cellsAround(point, Math.ceil(meters / CELL_METERS) + 1))
    if (cells.has(cell) && distanceToCell(point, cell) <= meters) return true
  return false
}

/** Metres from a point to the nearest of the cells. */
export function distanceToCells(cells: Cells, point: LatLng): number {
  let least = Number.POSITIVE_INFINITY
  for (const cell of cells) least = Math.min(least, distanceToCell(point, cell))
  return least
}

/** Cells as text: the numbers in order, each as its difference to the one before. */
export function packCells(cells: Iterable<number>): string {
  let last = 0
  return [...cells]
    .sort((a, b) => a - b)
    .map((cell) => {
      const step = cell - last
      last = cell
      return step.toString(36)
    })
    .join(' ')
}

export function unpackCells(text: string): Cells {
  let last = 0
  return new Set(text === '' ? [] : text.split(' ').map((step) => (last += Number.parseInt(step, 36))))
}
