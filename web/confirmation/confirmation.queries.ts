import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '#web/lib/api/api-error.ts'
import { queryClient } from '#web/lib/api/query.ts'
import { session } from '#web/lib/session.ts'
import { accountApi } from '#web/signed-in/account.queries.ts'
import { userKeys } from '#web/signed-in/user.queries.ts'

/** A key is sent only once, because a second request for the same key gets a different response. */
const NEVER_STALE = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY }

export const confirmationQuery = (key: string) =>
  queryOptions({
    queryKey: ['confirmation', key],
    queryFn: () =>
      accountApi.confirm({ body: { key } }, { staysOn401: true }).then(
        ({ status }) => invalidateUser(status),
        async (error: unknown) => ((await isConfirmed(error)) ? ('already_confirmed' as const) : toOutcome(error)),
      ),
    ...NEVER_STALE,
  })

/** Statuses of a backend without the call, which confirms addresses by its own link. */
const WITHOUT_CALL = [200, 401, 403, 404, 405, 501]

/** Whether the address is confirmed, according to the session, if the backend does not have the call. */
async function isConfirmed(error: unknown) {
  if (!(error instanceof ApiError) || !WITHOUT_CALL.includes(error.status) || error.code === 'invalid_key' || !session.isOpen())
    return false
  const options = await accountApi.options({}, { staysOn401: true }).catch(() => undefined)
  return options?.email_confirmed === true
}

export type EmailChange = { status: 'confirmed' | ReturnType<typeof toOutcome>; email: string }

export const emailChangeQuery = (key: string) =>
  queryOptions({
    queryKey: ['changedEmail', key],
    queryFn: (): Promise<EmailChange> =>
      accountApi.confirmChange({ body: { key } }).then(
        ({ email }) => invalidateUser({ status: 'confirmed', email }),
        (error: unknown) => ({ status: toOutcome(error), email: '' }),
      ),
    ...NEVER_STALE,
  })

function invalidateUser<T>(outcome: T) {
  for (const queryKey of [userKeys.session, userKeys.me, userKeys.name]) void queryClient.invalidateQueries({ queryKey })
  return outcome
}

/** Maps an error to its outcome. Rethrows errors that already lead to another page. */
function toOutcome(error: unknown) {
  if (!(error instanceof ApiError) || error.isLeaving) throw error
  if (error.status === 409) return 'taken' as const
  return error.status === 410 ? ('expired' as const) : ('error' as const)
}
