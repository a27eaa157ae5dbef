import type { NewDeviceKey } from '#contracts/device-keys.ts'
import type { Device } from '#contracts/devices.ts'

export const APPS = { traccar: 'Traccar Client', ownTracks: 'OwnTracks' } as const
export type App = keyof typeof APPS

export type Field = 'url' | 'identifier' | 'username' | 'password'

/** What the QR code of an app says, and what one would type instead of scanning it. */
export type Setup = { code: string; fields: [Field, string][] }

type Where = { base: string; origin: string }

/** How an app learns where to report and as whom; the API is where this portal finds it. */
export function setupOf(app: App, { key, urls }: NewDeviceKey, device: Device, where: Where): Setup {
  return app === 'traccar' ? traccar(at(urls.osmand, where), key) : ownTracks(at(urls.owntracks, where), userOf(device), key)
}

const at = (url: string, { base, origin }: Where) => (base || origin).replace(/\/+$/, '') + new URL(url).pathname

/** Traccar Client reads an address: its parameters are settings, the rest is where it reports. */
const traccar = (url: string, key: string): Setup => ({
  code: `${url}?${new URLSearchParams({ id: key, accuracy: 'high' })}`,
  fields: [
    ['url', url],
    ['identifier', key],
  ],
})

/** OwnTracks reads a configuration, in base64, from an address of its own. */
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
