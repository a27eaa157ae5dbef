import type { NewDeviceKey } from '#contracts/device-keys.ts'
import type { Device } from '#contracts/devices.ts'

export const APPS = { traccar: 'Traccar Client', ownTracks: 'OwnTracks' } as const
export type TrackingApp = keyof typeof APPS

type SetupField = 'url' | 'identifier' | 'username' | 'password'

/** The QR code of an app and the same values to type by hand. */
type AppSetup = { code: string; fields: [SetupField, string][] }

type Where = { base: string; origin: string }

/** The phone reports to the API base URL of this portal. */
export function buildAppSetup(app: TrackingApp, { key, urls }: NewDeviceKey, device: Device, where: Where): AppSetup {
  return app === 'traccar'
    ? buildTraccarSetup(reportingUrl(urls.osmand, where), key)
    : buildOwnTracksSetup(reportingUrl(urls.owntracks, where), ownTracksUser(device), key)
}

const reportingUrl = (url: string, { base, origin }: Where) => (base || origin).replace(/\/+$/, '') + new URL(url).pathname

/** Traccar Client reads a URL: the query parameters are settings, the rest is the reporting URL. */
const buildTraccarSetup = (url: string, key: string): AppSetup => ({
  code: `${url}?${new URLSearchParams({ id: key, accuracy: 'high' })}`,
  fields: [
    ['url', url],
    ['identifier', key],
  ],
})

/** OwnTracks reads a base64 configuration from a URL with its own scheme. */
function buildOwnTracksSetup(url: string, username: string, password: string): AppSetup {
  const configuration = { _type: 'configuration', mode: OWN_TRACKS_HTTP_MODE, url, auth: true, username, password }
  return {
    code: `owntracks:///config?inline=${encodeURIComponent(btoa(JSON.stringify(configuration)))}`,
    fields: [
      ['url', url],
      ['username', username],
      ['password', password],
    ],
  }
}

const OWN_TRACKS_HTTP_MODE = 3

const ownTracksUser = ({ identifier, serial }: Device) => identifier ?? serial ?? 'phone'
