import { data } from '#contracts/data.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'

/** Exports of positions and imports of files, a function each. Failures are `ApiError`s. */
export const dataApi = createClient(data, clientPorts)
