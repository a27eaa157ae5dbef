import { phoneTrackers } from '#contracts/trackers/phones.ts'
import { trackers } from '#contracts/trackers/trackers.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'

export const trackersApi = createClient(trackers, clientPorts)
export const phonesApi = createClient(phoneTrackers, clientPorts)
