import { places } from '#contracts/places.ts'
import { createClient } from '#web/lib/api/api.ts'
import { clientPorts } from '#web/lib/api/client-ports.ts'

export const placesApi = createClient(places, clientPorts)
