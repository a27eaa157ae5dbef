import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '#web/lib/api/api-error.ts'
import { queryClient } from '#web/lib/api/query.ts'
import { accountApi } from '#web/signed-in/account.queries.ts'
import { userKeys } from '#web/signed-in/user.queries.ts'

/** A key is sent only once, because a second request for the same key gets a different response. */
const NEVER_STALE = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY }

export const confirmationQuery = (key: string) =>
  queryOptions({
    queryKey: ['confirmation', key],
    queryFn: () => accountApi.confirm({ body: { key } }).then(({ status }) => invalidateUser(status), toOutcome),
    ...NEVER_STALE,
  })

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
