import { photos } from '#contracts/trackers/photos.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'

export const photosApi = createClient(photos, clientPorts)
