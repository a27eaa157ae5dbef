import type { SharedTracker, ShownTracker } from '#contracts/links.ts'
import { type Device, devices } from '#contracts/trackers/devices.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'

/**
 * The contents of a link if the backend has no call for it: the trackers that it lists for the token of the link. Resolves to null if there
 * are none. Sends no cookies, because their session would list the trackers of the visitor.
 */
export async function readTrackersOf(token: string, signal: AbortSignal): Promise<SharedTracker | null> {
  const ports = clientPorts()
  const api = createClient(devices, () => ({ ...ports, token: () => token, auth: { ...ports.auth, credentials: 'omit' } }))
  const [first, ...others] = (await api.list({ query: { type: 'tracker' } }, { signal, staysOn401: true })).map(showTracker)
  if (!first) return null
  const end = { start_date: null, end_date: null, expiry: null, permanent: false }
  return { label: '', ...end, last_point: true, ...first, ...(others.length > 0 && { others }) }
}

const showTracker = ({ name, kind, type, tracker_status: { last_position } }: Device): ShownTracker => ({
  tracker: { name, kind, type },
  last_position,
  positions: last_position ? [last_position] : [],
})
