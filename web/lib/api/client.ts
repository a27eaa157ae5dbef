import { devices } from '#contracts/devices.ts'
import { links } from '#contracts/links.ts'
import { positions } from '#contracts/positions.ts'
import { sessions } from '#contracts/sessions.ts'
import { createClient, openStream } from './api.ts'
import { outside } from './outside.ts'

/** The calls that most screens make: `client.devices.get({ params: { id } })`. Failures are `ApiError`. Others have their own beside them. */
export const client = {
  devices: createClient(devices, outside),
  links: createClient(links, outside),
  positions: createClient(positions, outside),
  sessions: createClient(sessions, outside),
}

/** The live events (E-70) as they come over the wire. */
export const openLive = (init: { signal: AbortSignal; headers?: Record<string, string> }) => openStream(positions.live, init, outside())
