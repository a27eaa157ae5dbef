import type { Place } from '#contracts/places.ts'
import { fromFixed7 } from '#db/positions.ts'
import type { PlaceWithDevices } from './places.store.ts'

export const presentPlace = ({ place: { id, name, address, type, radius, lat, lng }, devices }: PlaceWithDevices): Place => ({
  id,
  name,
  address,
  type,
  radius,
  devices,
  lat: fromFixed7(lat),
  lng: fromFixed7(lng),
})
