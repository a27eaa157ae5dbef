import type { City, LatLng } from './city.ts'

/** The data is a block of z12 web mercator tiles: columns 1407 to 1410, rows 2471 and 2472. */
export const block = { zoom: 12, west: 1407, north: 2471, columns: 4, rows: 2 } as const

const tiles = 2 ** block.zoom

/** Longitude of a tile column, which may be fractional. */
export const lngOfColumn = (column: number) => (column / tiles) * 360 - 180

/** Latitude of a tile row, which may be fractional. */
export const latOfRow = (row: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / tiles))) * 180) / Math.PI

/** Inverse of `lngOfColumn`. */
export const columnOfLng = (lng: number) => ((lng + 180) / 360) * tiles

/** Inverse of `latOfRow`. */
export const rowOfLat = (lat: number) => ((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * tiles

export const bounds: City['bounds'] = {
  south: latOfRow(block.north + block.rows),
  west: lngOfColumn(block.west),
  north: latOfRow(block.north),
  east: lngOfColumn(block.west + block.columns),
}

/** Around the city, in degrees, the world's coast is drawn as exactly as Natural Earth has it. */
export const region = { south: -41, west: -64, north: -29, east: -50 }

const METRES_PER_DEGREE = 111_195
const eastwards = METRES_PER_DEGREE * Math.cos((((bounds.south + bounds.north) / 2) * Math.PI) / 180)

/** Metres east and north of the city's south-west corner: flat enough over 32 km (error below 0.1 %). */
export const toPlane = ({ lat, lng }: LatLng): { x: number; y: number } => ({
  x: (lng - bounds.west) * eastwards,
  y: (lat - bounds.south) * METRES_PER_DEGREE,
})

/** Inverse of `toPlane`, rounded to a tenth of a metre. */
export const fromPlane = (x: number, y: number): LatLng => ({
  lat: round(bounds.south + y / METRES_PER_DEGREE),
  lng: round(bounds.west + x / eastwards),
})

const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6
