import { describe, expect, test } from 'vitest'
import { TILE_BLOCK } from '#server/mock/city/index.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { drawCityLand, drawMap } from './draw-map.ts'
import { cityFrame, drawLand, fadeOut, overlap, paintSea, regionFrame } from './draw-world.ts'
import type { Point, TileFeature } from './fit-tile.ts'
import { palettes, roads, widthAtZoom } from './style.ts'

const palette = palettes.light
const ring: Point[] = [
  [100, 100],
  [900, 100],
  [900, 900],
  [100, 100],
]
const area = (layer: string, kind: string): TileFeature => ({ layer, kind, name: null, geometry: 'area', lines: [ring] })
const line = (layer: string, kind: string): TileFeature => ({ layer, kind, name: null, geometry: 'line', lines: [ring] })

describe('drawMap', () => {
  test('every street edge is painted below every street', () => {
    const svg = drawMap([line('road', 'residential'), line('road', 'primary')], 15, palette)
    const paints = [...svg.matchAll(/<use href="#(r\d+)" stroke="([^"]+)"/g)].map(([, , ink]) => ink)
    expect(paints).toEqual([palette.roadEdge, palette.mainEdge, palette.road, palette.main])
  })

  test('footways have no edge', () => {
    const svg = drawMap([line('road', 'footway')], 16, palette)
    expect(svg.match(/<use/g)).toHaveLength(1)
    expect(svg).toContain(palette.path)
  })

  test('streets are drawn from the first zoom of their class', async () => {
    const rows = [
      ['residential', 11, false],
      ['residential', 12, true],
      ['service', 13, false],
      ['trunk', 8, true],
      ['steps', 15, false],
    ] as const
    expect(
      await collectFailures(
        rows,
        (row) => row.join(' '),
        ([kind, zoom, isDrawn]) => expect(drawMap([line('road', kind)], zoom, palette).includes('<use')).toBe(isDrawn),
      ),
    ).toEqual([])
  })

  test('overlapping areas have separate paths, so that none is a hole in another', () => {
    const svg = drawMap([area('green', 'pitch'), area('green', 'pitch')], 15, palette)
    expect(svg.match(/<path d=/g)).toHaveLength(2)
    expect(svg).toContain(`fill="${palette.pitch}"`)
  })

  test('parks cover works, and water covers parks', () => {
    const svg = drawMap([area('water', 'water'), area('green', 'park'), area('use', 'works')], 15, palette)
    const order = [palette.works, palette.park, palette.sea].map((ink) => svg.indexOf(`fill="${ink}"`))
    expect(order).toEqual([...order].sort((a, b) => a - b))
    expect(order[0]).toBeGreaterThanOrEqual(0)
  })

  test('city land is drawn separately from the rest of the map', () => {
    expect(drawCityLand([area('land', 'coast'), area('green', 'park')], palette)).toContain(palette.land)
    expect(drawMap([area('land', 'coast')], 15, palette)).not.toContain('d=')
    expect(drawCityLand([], palette)).toBe('')
  })

  test('buildings are drawn from zoom 15', () => {
    expect(drawMap([area('building', 'building')], 14, palette)).not.toContain(palette.building)
    expect(drawMap([area('building', 'building')], 15, palette)).toContain(palette.building)
  })
})

describe('widths', () => {
  test('widths grow with the zoom and with the class of the street', () => {
    expect(widthAtZoom(2, 16)).toBeGreaterThan(widthAtZoom(2, 15))
    expect(widthAtZoom(2, 12)).toBeLessThan(2)
    expect(widthAtZoom(2, 4)).toBe(0.5)
    const widths = Object.values(roads).map(({ width }) => width)
    expect(widths).toEqual([...widths].sort((a, b) => a - b))
  })
})

describe('frames', () => {
  const tile = (z: number, x: number, y: number) => ({ z, x, y })

  test('a tile lies in the city completely, partly or not at all', async () => {
    const rows = [
      [tile(12, TILE_BLOCK.west, TILE_BLOCK.north), 'all'],
      [tile(12, TILE_BLOCK.west - 1, TILE_BLOCK.north), 'none'],
      [tile(12, TILE_BLOCK.west + TILE_BLOCK.columns, TILE_BLOCK.north), 'none'],
      [tile(12, TILE_BLOCK.west, TILE_BLOCK.north + TILE_BLOCK.rows), 'none'],
      [tile(11, TILE_BLOCK.west >> 1, TILE_BLOCK.north >> 1), 'part'],
      [tile(0, 0, 0), 'part'],
      [tile(15, TILE_BLOCK.west * 8, TILE_BLOCK.north * 8), 'all'],
    ] as const
    expect(await collectFailures(rows, JSON.stringify, ([at, expected]) => expect(overlap(cityFrame, at)).toBe(expected))).toEqual([])
  })

  test('the region surrounds the city', () => {
    expect(regionFrame.west).toBeLessThan(cityFrame.west)
    expect(regionFrame.north).toBeLessThan(cityFrame.north)
    expect(regionFrame.east).toBeGreaterThan(cityFrame.east)
    expect(regionFrame.south).toBeGreaterThan(cityFrame.south)
  })

  test('a frame is painted with sea within the tile', () => {
    expect(paintSea(cityFrame, tile(14, TILE_BLOCK.west * 4 + 1, TILE_BLOCK.north * 4 + 1), palette)).toBe(
      `<path fill="${palette.sea}" d="M-8 -8H1032V1032H-8z"/>`,
    )
  })

  test('streets fade at the west, east and north edge of the city', () => {
    const corner = fadeOut('<b/>', tile(12, TILE_BLOCK.west, TILE_BLOCK.north))
    expect(corner).toContain('id="gw"')
    expect(corner).toContain('id="gn"')
    expect(corner).not.toContain('id="ge"')
    expect(fadeOut('<b/>', tile(12, TILE_BLOCK.west + TILE_BLOCK.columns - 1, TILE_BLOCK.north + 1))).toContain('id="ge"')
    expect(fadeOut('<b/>', tile(12, TILE_BLOCK.west + 1, TILE_BLOCK.north + 1))).toBe('<b/>')
  })
})

test('land and borders of the world are drawn', () => {
  const svg = drawLand([area('fine', 'fine'), line('border', 'border')], palette)
  expect(svg).toContain(`fill="${palette.land}"`)
  expect(svg).toContain(`stroke="${palette.border}"`)
  expect(drawLand([], palette)).toBe('')
})

test('both themes define the same colours', () => {
  expect(Object.keys(palettes.dark)).toEqual(Object.keys(palettes.light))
})
