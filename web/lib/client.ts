import { api } from '#contracts/index.ts'
import { createClient, type Outside, openStream } from './api.ts'
import { log } from './log.ts'
import { storage } from './storage.ts'

let outside: Outside = {
  base: '',
  fetch: (...request) => globalThis.fetch(...request),
  token: () => storage.get('token'),
  cookies: () => document.cookie,
  log,
  onLeave: () => false,
}

const now = () => outside

/** Tells the client where the API is and how to leave a page; called once, at the start. */
export const connect = (parts: Partial<Outside>) => {
  outside = { ...outside, ...parts }
}

/** Every call of the API, typed: `client.devices.get({ params: { id } })`. Failures are `ApiError`. */
export const client = {
  conflicts: createClient(api.conflicts, now),
  devices: createClient(api.devices, now),
  links: createClient(api.links, now),
  positions: createClient(api.positions, now),
  sct2: createClient(api.sct2, now),
  sessions: createClient(api.sessions, now),
  subscriptions: createClient(api.subscriptions, now),
  theft: createClient(api.theft, now),
  users: createClient(api.users, now),
}

/** The live events (E-70) as they come over the wire. */
export const openLive = (init: { signal: AbortSignal; headers?: Record<string, string> }) => openStream(api.positions.live, init, outside)
