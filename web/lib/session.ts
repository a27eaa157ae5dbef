import { PERSONAL_KEYS, storage, tryOrNull } from './storage.ts'

const SHARED = /^\/pub\/trackers\/*$/i

/**
 * Removes the token, or a code to exchange for one, from the address and returns the rest. The token starts the session, unless another one
 * is open: then it is `offered`, like every code. At /pub/trackers it is a link's uuid and stays. Must run before the first guard and the
 * first request.
 */
export function takeUrlToken(url: URL): { url: URL; offered: string | null } {
  const code = url.searchParams.get('hand_off')
  const token = code ?? url.searchParams.get('token')
  if (token === null || SHARED.test(url.pathname)) return { url, offered: null }
  const clean = new URL(url)
  for (const name of ['token', 'hand_off']) clean.searchParams.delete(name)
  const open = storage.get('token')
  if (!token || token === open) return { url: clean, offered: null }
  if (code || open !== null) return { url: clean, offered: token }
  storage.set('token', token)
  return { url: clean, offered: null }
}

const endCallbacks = new Set<() => void>()

/** Registers a callback that clears per-user data in memory at sign-out. Stored data is cleared without a callback. */
export const onSessionEnd = (forget: () => void) => {
  endCallbacks.add(forget)
}

/** Whether the backend has not yet accepted a request with the token of a sign-in in this tab. */
let isUntried = false

const followers = new Set<() => void>()
let followed = 0

/** Removes the old token first, so that other tabs can tell a new sign-in from a renewal. */
const saveToken = (token: string) => {
  storage.remove('token')
  storage.set('token', token)
}

/** A sign-out by URL loads none of the screens that have stored data. */
function forgetPerson() {
  for (const key of PERSONAL_KEYS) storage.remove(key)
  for (const forget of endCallbacks) forget()
}

export const session = {
  read: () => storage.get('token'),
  isOpen: () => storage.get('token') !== null,
  open: (token: string) => {
    forgetPerson()
    saveToken(token)
    isUntried = true
  },
  /** Whether the session was opened by a sign-in in this tab and no request with its token has been accepted since. */
  isUntried: () => isUntried,
  accept: () => {
    isUntried = false
  },
  renew: (token: string) => storage.set('token', token),
  /** Removes the token; values of the host app stay. */
  end: () => {
    storage.remove('token')
    session.forget()
  },
  forget: () => {
    tryOrNull(() => sessionStorage.clear())
    forgetPerson()
  },
  /** Switches to the session that another tab has opened; nothing of the previous one stays, not even on the screen. */
  follow: () => {
    session.forget()
    followed++
    for (const notice of followers) notice()
  },
  /** How many sessions of other tabs this one has switched to. */
  followed: {
    read: () => followed,
    subscribe: (notice: () => void) => {
      followers.add(notice)
      return () => void followers.delete(notice)
    },
  },
}
