import { places } from '#contracts/places.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'

export const placesApi = createClient(places, clientPorts)
