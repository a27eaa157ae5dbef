import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '#web/lib/api/api-error.ts'
import { sessionApi } from './operator.api.ts'
import { SESSION_KEY, type SessionState, signedOutState } from './session-state.ts'

export const sessionQuery = () =>
  queryOptions<SessionState>({
    queryKey: SESSION_KEY,
    queryFn: ({ signal }) =>
      sessionApi.get({}, { signal }).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 401) return signedOutState()
        throw error
      }),
  })
