import { attempt, storage } from './storage.ts'

const SHARED = /^\/pub\/trackers\/*$/i

/**
 * The token that came in the address becomes the session, and leaves the address bar; at /pub/trackers it is a link's
 * uuid and stays (C-01, R-2.55). Runs before the first guard and the first call.
 */
export function takeToken(url: URL): URL {
  const token = url.searchParams.get('token')
  if (token === null || SHARED.test(url.pathname)) return url
  if (token && token !== storage.get('token')) put(token)
  const clean = new URL(url)
  clean.searchParams.delete('token')
  return clean
}

const endings = new Set<() => void>()

/** Whoever keeps data of a person forgets it when the session ends. */
export const onSessionEnd = (forget: () => void) => {
  endings.add(forget)
}

/** The old one goes first, by which other tabs know that it may be somebody else's. */
const put = (token: string) => {
  storage.remove('token')
  storage.set('token', token)
}

export const session = {
  isOpen: () => storage.get('token') !== null,
  open: (token: string) => {
    for (const forget of endings) forget()
    put(token)
  },
  /** The same person goes on with another token (E-89, C-38). */
  renew: (token: string) => storage.set('token', token),
  /** The token goes, everything else of the host app stays. */
  end: () => {
    storage.remove('token')
    session.forget()
  },
  /** What this tab knows of the person goes. */
  forget: () => {
    attempt(() => sessionStorage.clear())
    for (const forget of endings) forget()
  },
}
