import type { Outside } from './api.ts'
import { clock } from './clock.ts'
import { log } from './log.ts'
import { storage } from './storage.ts'

let current: Outside = {
  base: '',
  async fetch(...request) {
    const answer = await globalThis.fetch(...request)
    clock.follow(answer.headers.get('date'))
    return answer
  },
  token: () => storage.get('token'),
  cookies: () => document.cookie,
  log,
  onLeave: () => false,
}

/** What lies around the portal now: every client asks at each call. */
export const outside = () => current

/** Tells the clients where the API is and how to leave a page; called once, at the start. */
export const connect = (parts: Partial<Outside>) => {
  current = { ...current, ...parts }
}
