import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyMask, fromCell, GRID_HEIGHT, GRID_WIDTH, RIM, toCell } from '#server/mock/city/build/grid.ts'
import { CITY_BOUNDS, columnOfLng, fromPlane, latOfRow, lngOfColumn, rowOfLat, TILE_BLOCK, toPlane } from './frame.ts'

const within = fc.record({
  lat: fc.double({ min: CITY_BOUNDS.south, max: CITY_BOUNDS.north, noNaN: true }),
  lng: fc.double({ min: CITY_BOUNDS.west, max: CITY_BOUNDS.east, noNaN: true }),
})

function metres(a: { lat: number; lng: number }, b: { lat: number; lng: number }) {
  const rad = (degrees: number) => (degrees * Math.PI) / 180
  const h = Math.sin(rad(b.lat - a.lat) / 2) ** 2 + Math.cos(rad(a.lat)) * Math.cos(rad(b.lat)) * Math.sin(rad(b.lng - a.lng) / 2) ** 2
  return 2 * 6_371_000 * Math.asin(Math.sqrt(h))
}

describe('tile coordinates', () => {
  test('converting between tiles and degrees round-trips', () => {
    fc.assert(
      fc.property(within, ({ lat, lng }) => {
        expect(lngOfColumn(columnOfLng(lng))).toBeCloseTo(lng, 9)
        expect(latOfRow(rowOfLat(lat))).toBeCloseTo(lat, 9)
      }),
    )
  })

  test("tile coordinates are correct at the map's origin and at the equator", () => {
    const tiles = 2 ** TILE_BLOCK.zoom
    expect([lngOfColumn(0), lngOfColumn(tiles / 2), lngOfColumn(tiles)]).toEqual([-180, 0, 180])
    expect(latOfRow(tiles / 2)).toBeCloseTo(0, 12)
    expect(latOfRow(0)).toBeCloseTo(85.0511, 3)
    expect(latOfRow(tiles)).toBeCloseTo(-85.0511, 3)
  })

  test('Montevideo lies within the block of eight tiles', () => {
    expect(CITY_BOUNDS.south).toBeLessThan(-34.93)
    expect(CITY_BOUNDS.north).toBeGreaterThan(-34.85)
    expect(CITY_BOUNDS.west).toBeLessThan(-56.22)
    expect(CITY_BOUNDS.east).toBeGreaterThan(-56.05)
    expect(TILE_BLOCK.columns * TILE_BLOCK.rows).toBe(8)
  })
})

describe('local plane', () => {
  test('a position converted to the plane and back is accurate to 0.1 m', () => {
    fc.assert(
      fc.property(within, (point) => {
        const { x, y } = toPlane(point)
        expect(metres(fromPlane(x, y), point)).toBeLessThan(0.15)
      }),
    )
  })

  test('distances on the plane are within 0.1 % of great-circle distances', () => {
    fc.assert(
      fc.property(within, within, (a, b) => {
        const [from, to] = [toPlane(a), toPlane(b)]
        const flat = Math.hypot(to.x - from.x, to.y - from.y)
        expect(Math.abs(flat - metres(a, b))).toBeLessThan(1 + metres(a, b) * 0.0015)
      }),
    )
  })

  test("the plane's origin is the south-west corner", () => {
    expect(toPlane({ lat: CITY_BOUNDS.south, lng: CITY_BOUNDS.west })).toEqual({ x: 0, y: 0 })
    const { x, y } = toPlane({ lat: CITY_BOUNDS.north, lng: CITY_BOUNDS.east })
    expect([Math.round(x / 1000), Math.round(y / 1000)]).toEqual([32, 16])
  })
})

describe('grid over the city', () => {
  test('every place in the city falls on a grid cell within the rim', () => {
    fc.assert(
      fc.property(within, ({ lat, lng }) => {
        const [x, y] = toCell([lng, lat])
        expect(x).toBeGreaterThanOrEqual(RIM - 1e-6)
        expect(x).toBeLessThanOrEqual(GRID_WIDTH - RIM + 1e-6)
        expect(y).toBeGreaterThanOrEqual(RIM - 1e-6)
        expect(y).toBeLessThanOrEqual(GRID_HEIGHT - RIM + 1e-6)
        const [backLng, backLat] = fromCell(x, y)
        expect(backLng).toBeCloseTo(lng, 8)
        expect(backLat).toBeCloseTo(lat, 8)
      }),
    )
  })

  test('rows are counted from the north and columns from the west', () => {
    expect(toCell([CITY_BOUNDS.west, CITY_BOUNDS.north]).map(Math.round)).toEqual([RIM, RIM])
    expect(toCell([CITY_BOUNDS.east, CITY_BOUNDS.south]).map(Math.round)).toEqual([GRID_WIDTH - RIM, GRID_HEIGHT - RIM])
    expect(emptyMask()).toHaveLength(GRID_WIDTH * GRID_HEIGHT)
  })
})
