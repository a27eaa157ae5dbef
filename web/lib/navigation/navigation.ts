import { safeNextPath } from '#contracts/rules/navigation.ts'
import type { ClientPorts } from '#web/lib/api/api.ts'
import { session } from '#web/lib/session.ts'

/** The reason shown on the login page: the session has ended; `isFirst`: at the first request after the sign-in. */
export type LoginState = { hasEnded: boolean; isFirst?: boolean }

export type Navigate = (path: string, options?: { replace?: boolean; state?: LoginState }) => void

/** Address of the login page that leads back to `path`, except from pages that would cause a loop. */
export const loginPath = (path: string): string => {
  const next = safeNextPath(path)
  return next === null || next === '/' ? '/login' : `/login?${new URLSearchParams({ next })}`
}

const ON_LOGIN = /^\/(login|logout)\/*$/i
let offlineGuard = (_pathname: string) => false

/** Registers a check by which a layout can stay open offline at an address; returns a function that unregisters it. */
export const setOfflineGuard = (stays: (pathname: string) => boolean) => {
  offlineGuard = stays
  return () => {
    offlineGuard = () => false
  }
}

/** Path of the page where a second factor is set up. */
const SECURITY_PATH = '/account/security'
const ON_SECURITY = /^\/account\/security\/*$/i
const ON_ERROR = /^\/error\/*$/i

/** Decides where a failed request leads: no response to /error, a rejected session to /login. */
export const createLeaveHandler =
  (here: () => { pathname: string; search: string }, go: Navigate): ClientPorts['onLeave'] =>
  (reason) => {
    const { pathname, search } = here()
    if (reason === 'no_answer') {
      if (offlineGuard(pathname)) return false
      if (!ON_ERROR.test(pathname)) go('/error')
      return true
    }
    if (reason === 'second_factor') {
      if (!ON_SECURITY.test(pathname)) go(SECURITY_PATH, { replace: true })
      return true
    }
    if (ON_LOGIN.test(pathname)) return false
    const hasEnded = reason === 'unauthorized'
    const isFirst = session.isUntried()
    if (hasEnded) session.end()
    go(loginPath(pathname + search), { state: { hasEnded, isFirst } })
    return true
  }
