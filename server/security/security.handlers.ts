import type { security as contract } from '#contracts/accounts/security.ts'
import type { Handlers } from '#server/http/serve.ts'
import { endNamedSession, endOtherSessions, listOpenSessions } from './open-sessions.ts'
import { readSecurityLog } from './security-log.ts'

export const security: Handlers<typeof contract> = {
  log: ({ query }, context) => readSecurityLog(context, query.before),
  listSessions: (_, context) => listOpenSessions(context),
  endOtherSessions: (_, context) => endOtherSessions(context),
  endSession: ({ params }, context) => endNamedSession(context, params.session),
}
