import { queryOptions } from '@tanstack/react-query'
import { client } from '#web/lib/api/client.ts'

export const userKeys = {
  session: ['session'],
  name: ['userName'],
  me: ['me'],
  settings: ['settings'],
} as const

/** Role, and whether the e-mail address is confirmed. */
export const sessionQuery = () =>
  queryOptions({ queryKey: userKeys.session, queryFn: ({ signal }) => client.sessions.options({}, { signal }), staleTime: 300_000 })

export const userNameQuery = () =>
  queryOptions({ queryKey: userKeys.name, queryFn: ({ signal }) => client.sessions.who({}, { signal }), staleTime: 300_000 })
