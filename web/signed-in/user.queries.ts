import { queryOptions } from '@tanstack/react-query'
import { sessions } from '#contracts/accounts/sessions.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'

const sessionsApi = createClient(sessions, clientPorts)

export const userKeys = {
  session: ['session'],
  name: ['userName'],
  me: ['me'],
  settings: ['settings'],
} as const

/** Role, and whether the e-mail address is confirmed. */
export const sessionQuery = () =>
  queryOptions({ queryKey: userKeys.session, queryFn: ({ signal }) => sessionsApi.options({}, { signal }), staleTime: 300_000 })

export const userNameQuery = () =>
  queryOptions({ queryKey: userKeys.name, queryFn: ({ signal }) => sessionsApi.who({}, { signal }), staleTime: 300_000 })
