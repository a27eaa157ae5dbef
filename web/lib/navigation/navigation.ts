import { safeNext } from '#contracts/rules/safe-path.ts'
import type { Outside } from '#web/lib/api/api.ts'
import { session } from '#web/lib/session.ts'

export type Go = (path: string, options?: { replace?: boolean; state?: { hasEnded: boolean } }) => void

/** The login page that leads back to `path`, unless that would go round in a circle (C-31). */
export const loginPath = (path: string): string => {
  const next = safeNext(path)
  return next === null || next === '/' ? '/login' : `/login?${new URLSearchParams({ next })}`
}

const ON_LOGIN = /^\/(login|logout)\/*$/i
let staysOffline = () => false

/** A layout that can stay where it is without a connection says when; answers how it stops. */
export const stayOffline = (stays: () => boolean) => {
  staysOffline = stays
  return () => {
    staysOffline = () => false
  }
}

const ON_ERROR = /^\/error\/*$/i

/** Where a failed call leads: no answer to /error, a refused session to /login (R-7.26 … ). */
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
