import * as z from 'zod/mini'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { Failure } from '#server/lib/errors.ts'
import type { Geocoder } from './world.ts'

const TIMEOUT_MS = 5000

const Properties = z.object({
  name: z.optional(z.string()),
  street: z.optional(z.string()),
  housenumber: z.optional(z.string()),
  district: z.optional(z.string()),
  city: z.optional(z.string()),
  county: z.optional(z.string()),
})
/** GeoJSON: longitude first. */
const Point = z.object({ coordinates: z.tuple([z.number(), z.number()], z.number()) })
const PhotonResponse = z.object({
  features: z.array(z.object({ geometry: Point, properties: z.catch(z.optional(Properties), undefined) })),
})
const ReverseResponse = z.object({ features: z.array(z.object({ properties: Properties })) })

/** Radius in kilometres; results farther away say nothing about a place. */
const MAX_DISTANCE_KM = '0.4'

/**
 * Searches addresses with a Photon server (github.com/komoot/photon), ours or a public one. Throws `unavailable` when it does not respond.
 */
export const createPhotonSearch =
  (url: string): Geocoder['search'] =>
  async (text, limit = 1) => {
    const asked = new URL(url)
    asked.searchParams.set('q', text)
    asked.searchParams.set('limit', String(limit))
    const parsed = PhotonResponse.safeParse(await ask(asked))
    if (!parsed.success) throw new Failure('unavailable')
    return parsed.data.features.map(({ geometry: { coordinates }, properties }) => {
      const label = properties && formatAddress(properties)
      return { lat: coordinates[1], lng: coordinates[0], ...(label && { label }) }
    })
  }

/**
 * Returns the address nearest to a point from `/reverse` beside the `/api` of the search; null when there is none. Throws `unavailable`
 * when the server does not respond.
 */
export const createPhotonReverse =
  (url: string) =>
  async ({ lat, lng }: LatLng) => {
    const asked = new URL(url)
    asked.pathname = asked.pathname.replace(/(\/api)?\/?$/, '/reverse')
    for (const [name, value] of Object.entries({ lat, lon: lng, radius: MAX_DISTANCE_KM, limit: 1 }))
      asked.searchParams.set(name, String(value))
    const parsed = ReverseResponse.safeParse(await ask(asked))
    if (!parsed.success) throw new Failure('unavailable')
    const [found] = parsed.data.features
    return found ? formatAddress(found.properties) : null
  }

/** Street and town, as in `Rincón 512, Montevideo`; unknown parts are left out. */
function formatAddress({ name, street, housenumber, district, city, county }: z.output<typeof Properties>) {
  const line = [street ?? name, housenumber].filter(Boolean).join(' ')
  return [line, city ?? district ?? county].filter(Boolean).join(', ') || null
}

const ask = (url: URL): Promise<unknown> =>
  fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    .then((response) => (response.ok ? response.json() : null))
    .catch(() => null)
