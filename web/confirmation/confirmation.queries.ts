import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '#web/lib/api/api-error.ts'
import { queryClient } from '#web/lib/api/query.ts'
import { calls } from '#web/signed-in/account.calls.ts'

/** A key is asked about once, however often the page is drawn: the second answer would be another (C-18). */
const once = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY }

/** Confirms the address of the link, and answers how that went (E-85). */
export const confirmationQuery = (key: string) =>
  queryOptions({
    queryKey: ['confirmation', key],
    queryFn: () => calls.confirm({ body: { key } }).then(({ status }) => afresh(status), outcomeOf),
    ...once,
  })

/** Makes the address of the link that of the account (E-88); `email` is it. */
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

/** What is known of the person is read anew. */
function afresh<T>(outcome: T) {
  for (const queryKey of [['account'], ['me'], ['userName']]) void queryClient.invalidateQueries({ queryKey })
  return outcome
}

/** Expired, somebody else's by now, or any other trouble; a person who is being taken elsewhere sees none of it. */
function outcomeOf(error: unknown) {
  if (!(error instanceof ApiError) || error.isLeaving) throw error
  if (error.status === 409) return 'taken' as const
  return error.status === 410 ? ('expired' as const) : ('error' as const)
}
