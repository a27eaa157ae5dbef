import { sessions } from '#contracts/accounts/sessions.ts'
import { devices } from '#contracts/devices.ts'
import { links } from '#contracts/links.ts'
import { positions } from '#contracts/positions.ts'
import { createClient, openStream } from './api.ts'
import { clientPorts } from './client-ports.ts'

/**
 * The endpoints most screens use: `client.devices.get({ params: { id } })`. Failures are `ApiError`s. Other endpoints have clients of their
 * own so that the main bundle stays small.
 */
export const client = {
  devices: createClient(devices, clientPorts),
  links: createClient(links, clientPorts),
  positions: createClient(positions, clientPorts),
  sessions: createClient(sessions, clientPorts),
}

export const openLive = (init: { signal: AbortSignal; headers?: Record<string, string> }) => openStream(positions.live, init, clientPorts())
