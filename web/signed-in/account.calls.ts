import { confirmations } from '#contracts/confirmations.ts'
import { sessions } from '#contracts/sessions.ts'
import { users } from '#contracts/users.ts'
import { createClient } from '#web/lib/api/api.ts'
import { outside } from '#web/lib/api/outside.ts'

/** The calls of a person's own account: the whole contract would double what a newcomer has to load. */
export const calls = createClient({ ...users, ...confirmations, ...sessions }, outside)
