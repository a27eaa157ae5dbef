import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { invalidField } from '#server/lib/errors.ts'
import type { City } from '#server/mock/city/index.ts'
import { planStreetPath } from '#server/mock/seed/journeys/paths.ts'

type RouteRequest = { route?: string[] | undefined; points?: LatLng[] | undefined; gpx?: string | undefined }

/** Returns the points a tracker must pass, starting from its position. Throws `invalid` for an invalid request. */
export function resolveRoute(city: City, from: LatLng | null, { route, points, gpx }: RouteRequest): LatLng[] {
  if ([route, points, gpx].filter((one) => one !== undefined).length !== 1) throw invalidField('body', 'One of route, points and gpx')
  if (route) return planStreets(city, from, route)
  const given = points ?? parseGpx(gpx ?? '')
  if (given.length === 0) throw invalidField('gpx', 'No track point in it')
  const way = from && points ? [from, ...given] : given
  if (way.length < 2) throw invalidField(points ? 'points' : 'gpx', 'At least two points')
  return way
}

function planStreets(city: City, from: LatLng | null, addresses: string[]) {
  const stops = addresses.map((address) => {
    const [found] = city.search(address, 1)
    if (!found) throw invalidField('route', `Nothing found for ${address}`)
    return { lat: found.lat, lng: found.lng }
  })
  const all = from ? [from, ...stops] : stops
  if (all.length < 2) throw invalidField('route', 'At least two addresses for a tracker that was never seen')
  return all.slice(1).flatMap((stop, index) => planStreetPath(city, all[index]!, stop, 'wheels'))
}

/**
 * Parses the points of a GPX file: of a track, else a route, else the waypoints. Throws `invalid` with the line of a point that is out of
 * range.
 */
export function parseGpx(gpx: string): LatLng[] {
  for (const tag of ['trkpt', 'rtept', 'wpt']) {
    const points = [...gpx.matchAll(new RegExp(`<${tag}\\b([^<>]*)>`, 'g'))].map(({ 0: point, 1: attributes = '', index }) => {
      const [lat, lng] = [parseNumber(attributes, 'lat'), parseNumber(attributes, 'lon')]
      if (Math.abs(lat) <= 90 && Math.abs(lng) <= 180) return { lat, lng }
      throw invalidField('gpx', `Line ${lineNumber(gpx, index)}: ${point} wants lat from -90 to 90 and lon from -180 to 180`)
    })
    if (points.length > 0) return points
  }
  return []
}

const parseNumber = (attributes: string, name: string) =>
  Number(new RegExp(`\\b${name}\\s*=\\s*["']([^"']+)["']`).exec(attributes)?.[1] ?? Number.NaN)

const lineNumber = (text: string, index: number) => text.slice(0, index).split('\n').length
