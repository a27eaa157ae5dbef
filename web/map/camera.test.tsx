import L from 'leaflet'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { flyTo, initialView, keepInView, NO_PADDING, placeOn, showAll } from './camera.ts'

let map: L.Map
const SIZE = { x: 1000, y: 800 }
const mapOf = ({ x, y }: typeof SIZE) => {
  const element = document.createElement('div')
  Object.defineProperties(element, { clientWidth: { value: x }, clientHeight: { value: y } })
  return L.map(element, { center: [0, 0], zoom: 12, maxZoom: 19, zoomAnimation: false })
}
const HOME = { lat: -34.9, lng: -56.16 }

beforeEach(() => {
  map = mapOf(SIZE)
})
afterEach(() => {
  vi.restoreAllMocks()
  map.remove()
})

const at = ({ lat, lng }: { lat: number; lng: number }) => map.latLngToContainerPoint([lat, lng])
const calm = (matches: boolean) =>
  vi
    .spyOn(window, 'matchMedia')
    .mockImplementation((media) =>
      Object.assign(new EventTarget(), { media, matches, onchange: null, addListener() {}, removeListener() {} }),
    )

describe('initial view', () => {
  test('a map opens in the middle of all points', () => {
    expect(initialView([HOME, { lat: -34.8, lng: -56.1 }]).zoom).toBe(13)
  })

  test('points on both sides of the date line are next to each other', () => {
    const { center } = initialView([
      { lat: -17, lng: 179.5 },
      { lat: -17, lng: -178.5 },
    ])
    expect(center).toEqual({ lat: -17, lng: 180.5 })
  })

  test('points on one side of the date line stay there, however their longitudes are rounded', () => {
    const west = [-56.1807341, -56.1079531].map((lng) => ({ lat: -34.9, lng }))
    expect(initialView(west).center).toMatchObject({ lng: expect.closeTo(-56.1443436, 6) })
  })

  test('a map without points opens on the world', () => {
    expect(initialView([])).toEqual({ center: [38, 8], zoom: 3 })
  })
})

describe('show all', () => {
  const points = [HOME, { lat: -34.85, lng: -56.1 }, { lat: -34.95, lng: -56.2 }]

  test.each([
    ['nothing covering the map', NO_PADDING],
    ['a card on the left', { ...NO_PADDING, left: 400 }],
    ['a sheet at the bottom', { ...NO_PADDING, bottom: 400 }],
    ['covers on all sides', { top: 100, right: 150, bottom: 200, left: 250 }],
  ])('every point stays clear of edges and covered areas with %s', (_, padding) => {
    showAll(map, points, padding, { animate: false })
    for (const { x, y } of points.map(at)) {
      expect(x).toBeGreaterThanOrEqual(padding.left + 35)
      expect(x).toBeLessThanOrEqual(SIZE.x - padding.right - 35)
      expect(y).toBeGreaterThanOrEqual(padding.top + 35)
      expect(y).toBeLessThanOrEqual(SIZE.y - padding.bottom - 35)
    }
  })

  test.each([{ bottom: 700 }, { bottom: 790 }, { bottom: 900 }, { left: 990, bottom: 790 }])(
    'a cover that leaves hardly any room leaves a map with all points on it: %j',
    (covers) => {
      showAll(map, points, { ...NO_PADDING, ...covers }, { animate: false })
      expect(map.getZoom()).toBeGreaterThan(5)
      for (const { x, y } of points.map(at)) expect([x > 0 && x < SIZE.x, y > 0 && y < SIZE.y]).toEqual([true, true])
    },
  )

  test('no point is under the buttons at the bottom right', () => {
    const corners = [HOME, { lat: -34.95, lng: -56.1 }]
    showAll(map, corners, NO_PADDING, { animate: false })
    const { x } = at(corners[1]!)
    expect(x).toBeLessThanOrEqual(SIZE.x - 79)
  })

  test('points on both sides of the date line fill the map', () => {
    const fiji = [178, 179.9, -179.9, -179].map((lng) => ({ lat: -17, lng }))
    showAll(map, fiji, NO_PADDING, { animate: false })
    expect(map.getZoom()).toBeGreaterThan(7)
    const columns = fiji.map((point) => map.latLngToContainerPoint(placeOn(map, point)).x)
    expect(columns).toEqual(columns.toSorted((a, b) => a - b))
    expect([Math.min(...columns) > 0, Math.max(...columns) < SIZE.x]).toEqual([true, true])
  })

  test('a move over the date line takes the short way', () => {
    calm(true)
    map.setView([-17, 179.9], 10)
    flyTo(map, { lat: -17, lng: -179.9 }, NO_PADDING)
    expect(map.getCenter().lng).toBeCloseTo(180.1)
  })

  test('a single point is shown at street level, not closer', () => {
    showAll(map, [HOME], NO_PADDING, { animate: false })
    expect(map.getZoom()).toBe(16)
  })

  test('without points the map does not move', () => {
    const before = map.getCenter()
    showAll(map, [], NO_PADDING, { animate: false })
    expect(map.getCenter()).toEqual(before)
  })
})

describe('fly to a point', () => {
  beforeEach(() => void calm(true))

  test.each([
    [NO_PADDING, 500, 400],
    [{ ...NO_PADDING, left: 400 }, 700, 400],
    [{ ...NO_PADDING, bottom: 300 }, 500, 250],
  ])('with the covered area %j the point ends up at %d, %d', (padding, x, y) => {
    flyTo(map, HOME, padding)
    expect(Math.abs(at(HOME).x - x)).toBeLessThanOrEqual(1)
    expect(Math.abs(at(HOME).y - y)).toBeLessThanOrEqual(1)
  })

  test('flying to a point zooms to street level at least and never zooms out', () => {
    flyTo(map, HOME, NO_PADDING)
    expect(map.getZoom()).toBe(15)
    map.setZoom(18, { animate: false })
    flyTo(map, HOME, NO_PADDING)
    expect(map.getZoom()).toBe(18)
  })

  test('following a point keeps the zoom', () => {
    map.setView([HOME.lat + 0.01, HOME.lng], 14, { animate: false })
    keepInView(map, HOME, { ...NO_PADDING, left: 200 })
    expect(map.getZoom()).toBe(14)
    expect(Math.abs(at(HOME).x - 600)).toBeLessThanOrEqual(1)
  })
})

describe('motion', () => {
  test.each([
    [true, 0],
    [false, 1],
  ])('with reduced motion %s the map flies %i times', (matches, journeys) => {
    calm(matches)
    const flown = vi.spyOn(map, 'flyTo').mockReturnValue(map)
    flyTo(map, HOME, NO_PADDING)
    expect(flown).toHaveBeenCalledTimes(journeys)
  })
})
