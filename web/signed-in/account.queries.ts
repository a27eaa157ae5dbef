import { queryOptions } from '@tanstack/react-query'
import { confirmations } from '#contracts/accounts/confirmations.ts'
import { sessions } from '#contracts/accounts/sessions.ts'
import { users } from '#contracts/accounts/users.ts'
import { createClient } from '#web/lib/api/api.ts'
import { clientPorts } from '#web/lib/api/client-ports.ts'
import { userKeys } from './user.queries.ts'

/** A separate client for the account, because the whole contract would double what the login page loads. */
export const accountApi = createClient({ ...users, ...confirmations, ...sessions }, clientPorts)

/** The signed-in user: e-mail address, whether it is confirmed, and role. */
export const meQuery = () => queryOptions({ queryKey: userKeys.me, queryFn: ({ signal }) => accountApi.me({}, { signal }) })

export const settingsQuery = () =>
  queryOptions({ queryKey: userKeys.settings, queryFn: ({ signal }) => accountApi.settings({}, { signal }) })
