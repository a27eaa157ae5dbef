import type { City, LatLng } from './city.ts'

/** The data is a block of zoom-12 Web Mercator tiles: columns 1407 to 1410, rows 2471 and 2472. */
export const TILE_BLOCK = { zoom: 12, west: 1407, north: 2471, columns: 4, rows: 2 } as const

const WORLD_TILES = 2 ** TILE_BLOCK.zoom

export const lngOfColumn = (column: number) => (column / WORLD_TILES) * 360 - 180

export const latOfRow = (row: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / WORLD_TILES))) * 180) / Math.PI

export const columnOfLng = (lng: number) => ((lng + 180) / 360) * WORLD_TILES

export const rowOfLat = (lat: number) => ((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * WORLD_TILES

export const CITY_BOUNDS: City['bounds'] = {
  south: latOfRow(TILE_BLOCK.north + TILE_BLOCK.rows),
  west: lngOfColumn(TILE_BLOCK.west),
  north: latOfRow(TILE_BLOCK.north),
  east: lngOfColumn(TILE_BLOCK.west + TILE_BLOCK.columns),
}

/** In this box around the city, in degrees, the coast is drawn at Natural Earth's full resolution. */
export const REGION_BOUNDS = { south: -41, west: -64, north: -29, east: -50 }

const METRES_PER_DEGREE = 111_195
const EAST_METRES_PER_DEGREE = METRES_PER_DEGREE * Math.cos((((CITY_BOUNDS.south + CITY_BOUNDS.north) / 2) * Math.PI) / 180)

/** Metres east and north of the city's south-west corner. Treating 32 km as flat gives an error below 0.1 %. */
export const toPlane = ({ lat, lng }: LatLng): { x: number; y: number } => ({
  x: (lng - CITY_BOUNDS.west) * EAST_METRES_PER_DEGREE,
  y: (lat - CITY_BOUNDS.south) * METRES_PER_DEGREE,
})

/** Inverse of `toPlane`, rounded to 0.1 m. */
export const fromPlane = (x: number, y: number): LatLng => ({
  lat: round(CITY_BOUNDS.south + y / METRES_PER_DEGREE),
  lng: round(CITY_BOUNDS.west + x / EAST_METRES_PER_DEGREE),
})

const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6
