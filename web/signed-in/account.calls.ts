import { confirmations } from '#contracts/confirmations.ts'
import { sessions } from '#contracts/sessions.ts'
import { users } from '#contracts/users.ts'
import { createClient } from '#web/lib/api/api.ts'
import { outside } from '#web/lib/api/outside.ts'

/** A separate client for the account, because the whole contract would double what the login page loads. */
export const calls = createClient({ ...users, ...confirmations, ...sessions }, outside)
