import { toFixed7 } from '#db/positions.ts'
import { Failure } from '#server/lib/errors.ts'
import type { Geocoder } from '#server/ports/world.ts'

/** A point as stored with places: degrees times 1e7. */
type Spot = { lat: number; lng: number }

export const spotOf = ({ lat, lng }: { lat?: number | undefined; lng?: number | undefined }): Spot | undefined =>
  lat === undefined || lng === undefined ? undefined : { lat: toFixed7(lat), lng: toFixed7(lng) }

export async function findAddress({ search }: Geocoder, address: string): Promise<Spot | undefined> {
  const [house] = await search(address, 1)
  return house && spotOf(house)
}

export async function requireAddress(geocode: Geocoder, address: string): Promise<Spot> {
  const spot = await findAddress(geocode, address)
  if (!spot) throw new Failure('address_not_found', { errors: { address: ['Not found'] } })
  return spot
}
