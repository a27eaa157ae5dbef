import { storage, tryOrNull } from './storage.ts'

const SHARED = /^\/pub\/trackers\/*$/i

/**
 * Takes the token from the address, starts the session with it and returns the address without it. At /pub/trackers it is a link's uuid and
 * stays. Must run before the first guard and the first request.
 */
export function applyUrlToken(url: URL): URL {
  const token = url.searchParams.get('token')
  if (token === null || SHARED.test(url.pathname)) return url
  if (token && token !== storage.get('token')) saveToken(token)
  const clean = new URL(url)
  clean.searchParams.delete('token')
  return clean
}

const endCallbacks = new Set<() => void>()

/** Registers a callback that clears per-user data at sign-out. */
export const onSessionEnd = (forget: () => void) => {
  endCallbacks.add(forget)
}

/** Removes the old token first, so that other tabs can tell a new sign-in from a renewal. */
const saveToken = (token: string) => {
  storage.remove('token')
  storage.set('token', token)
}

export const session = {
  isOpen: () => storage.get('token') !== null,
  open: (token: string) => {
    for (const forget of endCallbacks) forget()
    saveToken(token)
  },
  renew: (token: string) => storage.set('token', token),
  /** Removes the token; values of the host app stay. */
  end: () => {
    storage.remove('token')
    session.forget()
  },
  forget: () => {
    tryOrNull(() => sessionStorage.clear())
    for (const forget of endCallbacks) forget()
  },
}
