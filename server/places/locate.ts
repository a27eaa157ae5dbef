import { toFixed7 } from '#db/positions.ts'
import { Failure } from '#server/lib/errors.ts'
import type { Geocoder } from '#server/ports/world.ts'

/** A point as stored with places: degrees times 1e7. */
type ScaledPoint = { lat: number; lng: number }

export const scalePoint = ({ lat, lng }: { lat?: number | undefined; lng?: number | undefined }): ScaledPoint | undefined =>
  lat === undefined || lng === undefined ? undefined : { lat: toFixed7(lat), lng: toFixed7(lng) }

export async function locateAddress({ search }: Geocoder, address: string): Promise<ScaledPoint | undefined> {
  const [house] = await search(address, 1)
  return house && scalePoint(house)
}

export async function requireLocation(geocode: Geocoder, address: string): Promise<ScaledPoint> {
  const spot = await locateAddress(geocode, address)
  if (!spot) throw new Failure('address_not_found', { errors: { address: ['Not found'] } })
  return spot
}
