import { sessions } from '#contracts/sessions.ts'
import { createClient } from '#web/lib/api/api.ts'
import { outside } from '#web/lib/api/outside.ts'

/** The calls of the login page alone: the whole contract would double what a stranger has to load. */
export const calls = createClient(sessions, outside)
