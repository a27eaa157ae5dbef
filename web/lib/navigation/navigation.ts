import { safeNext } from '#contracts/rules/navigation.ts'
import type { Outside } from '#web/lib/api/api.ts'
import { session } from '#web/lib/session.ts'

export type Go = (path: string, options?: { replace?: boolean; state?: { hasEnded: boolean } }) => void

/** Address of the login page that leads back to `path`, except from pages that would cause a loop. */
export const loginPath = (path: string): string => {
  const next = safeNext(path)
  return next === null || next === '/' ? '/login' : `/login?${new URLSearchParams({ next })}`
}

const ON_LOGIN = /^\/(login|logout)\/*$/i
let staysOffline = () => false

/** Registers a check by which a layout can stay open offline; returns a function that unregisters it. */
export const stayOffline = (stays: () => boolean) => {
  staysOffline = stays
  return () => {
    staysOffline = () => false
  }
}

const ON_ERROR = /^\/error\/*$/i

/** Decides where a failed request leads: no response to /error, a rejected session to /login. */
export const leaving =
  (here: () => { pathname: string; search: string }, go: Go): Outside['onLeave'] =>
  (reason) => {
    const { pathname, search } = here()
    if (reason === 'no_answer') {
      if (staysOffline()) return false
      if (!ON_ERROR.test(pathname)) go('/error')
      return true
    }
    if (ON_LOGIN.test(pathname)) return false
    const hasEnded = reason === 'unauthorized'
    if (hasEnded) session.end()
    go(loginPath(pathname + search), { state: { hasEnded } })
    return true
  }
