import type { NewDeviceKey } from '#contracts/trackers/device-keys.ts'
import type { Device } from '#contracts/trackers/devices.ts'

export const APPS = { traccar: 'Traccar Client', ownTracks: 'OwnTracks', overland: 'Overland' } as const
export type TrackingApp = keyof typeof APPS

type SetupField = 'url' | 'identifier' | 'username' | 'password' | 'token' | 'deviceId'

/** The QR code of an app, the link that opens it on the phone itself, and the same values to type by hand. */
type AppSetup = { code: string; link: string; fields: [SetupField, string][] }

type Where = { base: string; origin: string }

/** The apps this backend has an address for. */
export const listApps = ({ urls }: NewDeviceKey): TrackingApp[] =>
  urls.overland === undefined ? ['traccar', 'ownTracks'] : ['traccar', 'ownTracks', 'overland']

/** The phone reports to the API base URL of this portal. */
export function buildAppSetup(app: TrackingApp, { key, label, urls }: NewDeviceKey, device: Device, where: Where): AppSetup {
  if (app === 'ownTracks') return buildOwnTracksSetup(reportingUrl(urls.owntracks, where), numberOf(device), key)
  if (app === 'overland') return buildOverlandSetup(reportingUrl(urls.overland ?? '', where), label || numberOf(device), key)
  return buildTraccarSetup(reportingUrl(urls.osmand, where), key)
}

const reportingUrl = (url: string, { base, origin }: Where) => (base || origin).replace(/\/+$/, '') + new URL(url).pathname

/** Traccar Client reads a URL: the query parameters are settings, the rest is the reporting URL. Its link names that URL too. */
const buildTraccarSetup = (url: string, key: string): AppSetup => ({
  code: `${url}?${new URLSearchParams({ id: key, accuracy: 'high' })}`,
  link: `org.traccar.client://?${new URLSearchParams({ url, id: key, accuracy: 'high' })}`,
  fields: [
    ['url', url],
    ['identifier', key],
  ],
})

/** OwnTracks reads a base64 configuration from a URL with its own scheme. */
function buildOwnTracksSetup(url: string, username: string, password: string): AppSetup {
  const configuration = { _type: 'configuration', mode: OWN_TRACKS_HTTP_MODE, url, auth: true, username, password }
  const code = `owntracks:///config?inline=${encodeURIComponent(btoa(JSON.stringify(configuration)))}`
  return {
    code,
    link: code,
    fields: [
      ['url', url],
      ['username', username],
      ['password', password],
    ],
  }
}

/** Overland decodes percent escapes but no plus signs. */
function buildOverlandSetup(url: string, deviceId: string, token: string): AppSetup {
  const parameters = Object.entries({ url, token, device_id: deviceId })
  const code = `overland://setup?${parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`
  return {
    code,
    link: code,
    fields: [
      ['url', url],
      ['token', token],
      ['deviceId', deviceId],
    ],
  }
}

const OWN_TRACKS_HTTP_MODE = 3

const numberOf = ({ identifier, serial }: Device) => identifier ?? serial ?? 'phone'

const LOGGER_FIELDS = 'lat=%LAT&lon=%LON&timestamp=%TIMESTAMP&acc=%ACC&alt=%ALT&spd=%SPD&dir=%DIR&batt=%BATT'

/** URLs with the placeholders of each app. `plain` has the parameters that every app supports. */
export function buildUrlTemplates({ key, urls }: NewDeviceKey, where: Where): [app: string | 'plain', url: string][] {
  const url = `${reportingUrl(urls.osmand, where)}?id=${key}`
  return [
    ['GPSLogger', `${url}&${LOGGER_FIELDS}`],
    ['PhoneTrack', `${url}&${LOGGER_FIELDS}`],
    ['OsmAnd', `${url}&lat={0}&lon={1}&timestamp={2}&acc={3}&alt={4}&spd={5}&dir={6}`],
    ['plain', `${url}&lat=-34.9&lon=-56.15&accuracy=10`],
  ]
}

/** A configuration for Home Assistant, whose own app reports only to it. It forwards each change of one of its device trackers. */
export function buildHomeAssistantRecipe({ key, urls }: NewDeviceKey, where: Where): string {
  const attribute = (name: string) => `{{ state_attr('device_tracker.phone', '${name}') | to_json }}`
  return `rest_command:
  report_position:
    url: "${reportingUrl(urls.osmand, where)}"
    method: post
    content_type: application/json
    headers:
      authorization: "Bearer ${key}"
    payload: >-
      {"id": "home-assistant",
       "lat": ${attribute('latitude')},
       "lon": ${attribute('longitude')},
       "accuracy": ${attribute('gps_accuracy')}}

automation:
  - alias: Report position
    triggers:
      - trigger: state
        entity_id: device_tracker.phone
    actions:
      - action: rest_command.report_position
`
}
