import { QueryClient } from '@tanstack/react-query'
import type { StaffSession } from '#contracts/operator/staff.ts'
import { onRetry } from '#web/lib/api/connection.ts'
import { queryClient } from '#web/lib/api/query.ts'

/** The cache of the console. Signing in or out as an owner leaves it alone. */
export const consoleQueries = new QueryClient({ defaultOptions: queryClient.getDefaultOptions() })
onRetry(() => void consoleQueries.resetQueries({ predicate: ({ state }) => state.status === 'error' }))

/** `ended`: there was a session until the server rejected it. */
export type SessionState = StaffSession | 'none' | 'ended'

export const SESSION_KEY = ['session'] as const

const readState = () => consoleQueries.getQueryData<SessionState>(SESSION_KEY)

export const isSignedIn = (state: SessionState | undefined): state is StaffSession => typeof state === 'object'

export const findCsrfToken = () => {
  const state = readState()
  return isSignedIn(state) ? state.csrf_token : undefined
}

/** Nothing that one session has loaded is shown in the next. */
export function setSession(state: SessionState) {
  consoleQueries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] })
  consoleQueries.setQueryData<SessionState>(SESSION_KEY, state)
}

/** What a 401 means: the end of a session, or that there was none. */
export const signedOutState = () => (isSignedIn(readState()) || readState() === 'ended' ? 'ended' : 'none')

export const noteEnded = () => {
  if (readState() !== undefined) consoleQueries.setQueryData<SessionState>(SESSION_KEY, signedOutState())
}

/** Another tab has signed in: its cookie needs its token. */
export const noteOtherSession = () => void consoleQueries.invalidateQueries({ queryKey: SESSION_KEY })
