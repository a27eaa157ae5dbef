import { sessions } from '#contracts/accounts/sessions.ts'
import { createClient } from '#web/lib/api/api.ts'
import { clientPorts } from '#web/lib/api/client-ports.ts'

/** Only the session endpoints: the whole contract would double the download for signed-out visitors. */
export const sessionsApi = createClient(sessions, clientPorts)
