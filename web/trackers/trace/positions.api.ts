import { positions } from '#contracts/positions.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'

/** The endpoints of the positions of trackers, a function each: `positionsApi.history()`. Failures are `ApiError`s. */
export const positionsApi = createClient(positions, clientPorts)
