import { clock } from '#web/lib/clock.ts'
import { log } from '#web/lib/log.ts'
import { storage } from '#web/lib/storage.ts'
import type { Outside } from './api.ts'

/** Wraps `fetch` so that the portal's clock follows the `Date` header of every response. */
const following =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (...request) => {
    const answer = await fetch(...request)
    clock.follow(answer.headers.get('date'))
    return answer
  }

let current: Outside = {
  base: '',
  fetch: (...request) => globalThis.fetch(...request),
  token: () => storage.get('token'),
  cookies: () => document.cookie,
  log,
  onLeave: () => false,
}

/** The current environment; every client reads it at each request. */
export const outside = () => current

/** Tells the clients where the API is, how to reach it and how to redirect; called once at the start. */
export const connect = ({ fetch, ...parts }: Partial<Outside>) => {
  current = { ...current, ...parts, ...(fetch && { fetch: following(fetch) }) }
}
