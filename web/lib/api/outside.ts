import { clock } from '#web/lib/clock.ts'
import { log } from '#web/lib/log.ts'
import { storage } from '#web/lib/storage.ts'
import type { Outside } from './api.ts'

/** The same, and the portal's clock goes by every answer. */
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

/** What lies around the portal now: every client asks at each call. */
export const outside = () => current

/** Tells the clients where the API is, how to reach it and how to leave a page; called once, at the start. */
export const connect = ({ fetch, ...parts }: Partial<Outside>) => {
  current = { ...current, ...parts, ...(fetch && { fetch: following(fetch) }) }
}
