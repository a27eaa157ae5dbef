import { sessions } from '#contracts/accounts/sessions.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'

/** Only the session endpoints: the whole contract would double the download for signed-out visitors. */
export const sessionsApi = createClient(sessions, clientPorts)
