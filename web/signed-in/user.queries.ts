import { queryOptions, useQuery } from '@tanstack/react-query'
import { sessions } from '#contracts/accounts/sessions.ts'
import { rights } from '#contracts/lib/rights.ts'
import { parseRole } from '#contracts/rules/user.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { USER_NAME_KEY } from '#web/lib/api/user-name.ts'

const sessionsApi = createClient(sessions, clientPorts)

export const userKeys = {
  session: ['session'],
  name: USER_NAME_KEY,
  me: ['me'],
  settings: ['settings'],
} as const

/** Role, and whether the e-mail address is confirmed. */
export const sessionQuery = () =>
  queryOptions({ queryKey: userKeys.session, queryFn: ({ signal }) => sessionsApi.options({}, { signal }), staleTime: 300_000 })

/** Whether the signed-in role has a right. False until the role is known, so that nothing is offered and then withdrawn. */
export function useHasRight(right: keyof typeof rights) {
  const role = useQuery(sessionQuery()).data?.role
  return role !== undefined && rights[right].some((allowed) => allowed === parseRole(role))
}
