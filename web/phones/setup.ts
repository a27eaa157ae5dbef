import type { NewDeviceKey } from '#contracts/device-keys.ts'
import type { Device } from '#contracts/devices.ts'

export const APPS = { traccar: 'Traccar Client', ownTracks: 'OwnTracks' } as const
export type App = keyof typeof APPS

export type Field = 'url' | 'identifier' | 'username' | 'password'

/** The QR code of an app and the same values to type by hand. */
export type Setup = { code: string; fields: [Field, string][] }

type Where = { base: string; origin: string }

/** Builds the setup of an app. The phone reports to the API base URL of this portal. */
export function setupOf(app: App, { key, urls }: NewDeviceKey, device: Device, where: Where): Setup {
  return app === 'traccar' ? traccar(at(urls.osmand, where), key) : ownTracks(at(urls.owntracks, where), userOf(device), key)
}

const at = (url: string, { base, origin }: Where) => (base || origin).replace(/\/+$/, '') + new URL(url).pathname

/** Traccar Client reads a URL: the query parameters are settings, the rest is the reporting URL. */
const traccar = (url: string, key: string): Setup => ({
  code: `${url}?${new URLSearchParams({ id: key, accuracy: 'high' })}`,
  fields: [
    ['url', url],
    ['identifier', key],
  ],
})

/** OwnTracks reads a base64 configuration from a URL with its own scheme. */
function ownTracks(url: string, username: string, password: string): Setup {
  const configuration = { _type: 'configuration', mode: HTTP_MODE, url, auth: true, username, password }
  return {
    code: `owntracks:///config?inline=${encodeURIComponent(btoa(JSON.stringify(configuration)))}`,
    fields: [
      ['url', url],
      ['username', username],
      ['password', password],
    ],
  }
}

const HTTP_MODE = 3

const userOf = ({ identifier, serial }: Device) => identifier ?? serial ?? 'phone'
