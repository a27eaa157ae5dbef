import { clock } from '#web/lib/clock.ts'
import { log } from '#web/lib/log.ts'
import { storage } from '#web/lib/storage.ts'
import type { ClientPorts } from './api.ts'

/** Wraps `fetch` so that the portal's clock follows the `Date` header of every response. */
const followServerClock =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (...request) => {
    const answer = await fetch(...request)
    clock.follow(answer.headers.get('date'))
    return answer
  }

/** Event on `window` with a `DeviationReport[]` as its detail, for the developer panel. */
const DEVIATION_EVENT = 'whereabouts:deviations'

let currentPorts: ClientPorts = {
  base: '',
  fetch: (...request) => globalThis.fetch(...request),
  token: () => storage.get('token'),
  cookies: () => document.cookie,
  log,
  onLeave: () => false,
  onDeviations: (detail) => void window.dispatchEvent(new CustomEvent(DEVIATION_EVENT, { detail })),
}

/** The current environment; every client reads it at each request. */
export const clientPorts = () => currentPorts

/** Tells the clients where the API is, how to reach it and how to redirect; called once at the start. */
export const setClientPorts = ({ fetch, ...parts }: Partial<ClientPorts>) => {
  currentPorts = { ...currentPorts, ...parts, ...(fetch && { fetch: followServerClock(fetch) }) }
}
