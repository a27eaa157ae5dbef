import { queryOptions } from '@tanstack/react-query'
import { sessions } from '#contracts/accounts/sessions.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { queryClient } from '#web/lib/api/query.ts'

const sessionsApi = createClient({ who: sessions.who }, clientPorts)

export const USER_NAME_KEY = ['userName'] as const

export const userNameQuery = () =>
  queryOptions({ queryKey: USER_NAME_KEY, queryFn: ({ signal }) => sessionsApi.who({}, { signal }), staleTime: 300_000 })

/** Determining the signed-in user must not redirect a user who is typing. */
const quietApi = createClient({ who: sessions.who }, () => ({ ...clientPorts(), onLeave: () => false }))

/**
 * The user's name, null for a guest, undefined when it can't be determined. Requested once per session, because the session may be over by
 * the time something is typed.
 */
export const findUserName = async (isGuest = false): Promise<string | null | undefined> => {
  if (isGuest) return null
  return queryClient.ensureQueryData({ ...userNameQuery(), queryFn: ({ signal }) => quietApi.who({}, { signal }) }).then(
    ({ username }) => username,
    () => undefined,
  )
}
