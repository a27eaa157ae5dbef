import { trackers } from '#contracts/trackers.ts'
import { createClient } from '#web/lib/api/api.ts'
import { clientPorts } from '#web/lib/api/client-ports.ts'

export const trackersApi = createClient(trackers, clientPorts)
