import { distanceMeters, type LatLng, unwrap } from './coordinates.ts'
import { distanceToShape, pointOfOutline, projectShape, type Shape } from './shape.ts'

/** Lines in each direction on which the widest spot of an area is searched, and the moves from the best one found. */
const LINES = 12
const MOVES = 10

const innerRadii = new WeakMap<Shape, number>()

/**
 * Metres from the border to the point of a shape that is furthest inside: what the radius is to a circle. For an area up to a fifth less, as
 * few points are compared.
 */
export function findInnerRadius(shape: Shape): number {
  if (shape.type === 'corridor') return shape.width
  const known = innerRadii.get(shape) ?? searchInnerRadius(shape)
  innerRadii.set(shape, known)
  return known
}

/** Compares the middles of all stretches of parallel lines inside an area, and moves further inside from the best one. */
function searchInnerRadius(shape: Shape): number {
  const outline = projectShape(shape)
  const { xs, ys } = outline
  const [west, east, south, north] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  let best = { x: 0, y: 0, depth: 0 }
  const offer = (x: number, y: number) => {
    const depth = -distanceToShape(pointOfOutline(outline, x, y), shape)
    if (depth > best.depth) best = { x, y, depth }
  }
  for (let line = 1; line <= LINES; line++) {
    const y = south + ((north - south) * line) / (LINES + 1)
    const x = west + ((east - west) * line) / (LINES + 1)
    for (const middle of listMiddles(xs, ys, y)) offer(middle, y)
    for (const middle of listMiddles(ys, xs, x)) offer(x, middle)
  }
  let step = Math.max(east - west, north - south) / LINES
  for (let move = 0; move < MOVES; move++) {
    const { x, y, depth } = best
    for (const dx of [-step, 0, step]) for (const dy of [-step, 0, step]) offer(x + dx, y + dy)
    if (best.depth === depth) step /= 2
  }
  return best.depth
}

/** The middles of the stretches of a line inside an area; `across` are the coordinates of its corners across the line. */
function listMiddles(along: Float64Array, across: Float64Array, line: number): number[] {
  const crossed: number[] = []
  for (let index = 0, before = along.length - 1; index < along.length; before = index++) {
    const [from, to] = [across[before]!, across[index]!]
    if (from > line !== to > line) crossed.push(along[before]! + ((along[index]! - along[before]!) * (line - from)) / (to - from))
  }
  crossed.sort((a, b) => a - b)
  return crossed.flatMap((at, nth) => (nth % 2 === 1 ? [(crossed[nth - 1]! + at) / 2] : []))
}

/** Points per edge when a circle is drawn around a shape: between its ends an edge leaves the great circle. */
const PER_EDGE = 16
const STEPS = 200
/** What the last edge may leave the points on it, and what rounding takes. */
const SLACK = 1.01
const ROUNDING_METERS = 1

/** A circle that contains a shape, a few percent larger than the smallest. `radius` in whole metres. */
export function encloseShape(shape: Shape): LatLng & { radius: number } {
  const corners = listPoints(shape, 1)
  let centre = corners[0]!
  // Each step moves the centre towards the farthest corner by an ever smaller share (Bădoiu and Clarkson).
  for (let step = 1; step <= STEPS; step++) {
    const { point } = findFarthest(centre, corners)
    centre = { lat: centre.lat + (point.lat - centre.lat) / (step + 1), lng: centre.lng + (point.lng - centre.lng) / (step + 1) }
  }
  const radius = findFarthest(centre, listPoints(shape, PER_EDGE)).meters * SLACK + ROUNDING_METERS
  return { lat: centre.lat, lng: unwrap(centre.lng, 0), radius: Math.ceil(radius + (shape.type === 'corridor' ? shape.width : 0)) }
}

function findFarthest(from: LatLng, points: readonly LatLng[]) {
  let farthest = { point: from, meters: -1 }
  for (const point of points) {
    const meters = distanceMeters(from, point)
    if (meters > farthest.meters) farthest = { point, meters }
  }
  return farthest
}

/** Points on the edges of a shape, so many for each edge, with its corners. */
function listPoints(shape: Shape, perEdge: number): LatLng[] {
  const outline = projectShape(shape)
  const { xs, ys } = outline
  const edges = shape.type === 'polygon' ? xs.length : xs.length - 1
  return Array.from({ length: edges * perEdge + 1 }, (_, nth) => {
    const [index, share] = [Math.floor(nth / perEdge) % xs.length, (nth % perEdge) / perEdge]
    const next = (index + 1) % xs.length
    const between = (values: Float64Array) => values[index]! + (values[next]! - values[index]!) * share
    return pointOfOutline(outline, between(xs), between(ys))
  })
}
