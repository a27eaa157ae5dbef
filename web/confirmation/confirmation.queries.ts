import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '#web/lib/api/api-error.ts'
import { queryClient } from '#web/lib/api/query.ts'
import { calls } from '#web/signed-in/account.calls.ts'

/** A key is sent only once, because a second request for the same key gets a different response. */
const once = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY }

/** Confirms the e-mail address and returns the outcome. */
export const confirmationQuery = (key: string) =>
  queryOptions({
    queryKey: ['confirmation', key],
    queryFn: () => calls.confirm({ body: { key } }).then(({ status }) => afresh(status), outcomeOf),
    ...once,
  })

/** Makes the address of the link the account's; `email` is that address. */
export const changeQuery = (key: string) =>
  queryOptions({
    queryKey: ['changedEmail', key],
    queryFn: () =>
      calls.confirmChange({ body: { key } }).then(
        ({ email }) => afresh({ status: 'confirmed' as const, email }),
        (error: unknown) => ({ status: outcomeOf(error), email: '' }),
      ),
    ...once,
  })

function afresh<T>(outcome: T) {
  for (const queryKey of [['account'], ['me'], ['userName']]) void queryClient.invalidateQueries({ queryKey })
  return outcome
}

/** Maps an error to its outcome. Rethrows errors that already lead to another page. */
function outcomeOf(error: unknown) {
  if (!(error instanceof ApiError) || error.isLeaving) throw error
  if (error.status === 409) return 'taken' as const
  return error.status === 410 ? ('expired' as const) : ('error' as const)
}
