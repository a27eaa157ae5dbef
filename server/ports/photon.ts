import * as z from 'zod/mini'
import { Failure } from '#server/lib/errors.ts'
import type { Geocoder } from './world.ts'

const TIMEOUT_MS = 5000

/** GeoJSON: longitude first. */
const PhotonResponse = z.object({
  features: z.array(z.object({ geometry: z.object({ coordinates: z.tuple([z.number(), z.number()], z.number()) }) })),
})

/**
 * Searches addresses with a Photon server (github.com/komoot/photon), ours or a public one. Throws `unavailable` when it does not answer.
 */
export const createPhotonSearch =
  (url: string): Geocoder['search'] =>
  async (text, limit = 1) => {
    const asked = new URL(url)
    asked.searchParams.set('q', text)
    asked.searchParams.set('limit', String(limit))
    const answer = await fetch(asked, { signal: AbortSignal.timeout(TIMEOUT_MS) })
      .then((response) => (response.ok ? response.json() : null))
      .catch(() => null)
    const parsed = PhotonResponse.safeParse(answer)
    if (!parsed.success) throw new Failure('unavailable')
    return parsed.data.features.map(({ geometry: { coordinates } }) => ({ lat: coordinates[1], lng: coordinates[0] }))
  }
