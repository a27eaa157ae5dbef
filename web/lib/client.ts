import { api } from '#contracts/index.ts'
import { createClient, openStream } from './api.ts'
import { outside } from './outside.ts'

/** Every call of the API, typed: `client.devices.get({ params: { id } })`. Failures are `ApiError`. */
export const client = {
  conflicts: createClient(api.conflicts, outside),
  deviceKeys: createClient(api.deviceKeys, outside),
  devices: createClient(api.devices, outside),
  links: createClient(api.links, outside),
  positions: createClient(api.positions, outside),
  sct2: createClient(api.sct2, outside),
  sessions: createClient(api.sessions, outside),
  subscriptions: createClient(api.subscriptions, outside),
  theft: createClient(api.theft, outside),
  users: createClient(api.users, outside),
}

/** The live events (E-70) as they come over the wire. */
export const openLive = (init: { signal: AbortSignal; headers?: Record<string, string> }) => openStream(api.positions.live, init, outside())
