import { formatInstant } from '#contracts/rules/time.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'
import * as bodies from '#server/tracking/networks/test-bodies.ts'
import { ALICE, forward, NUMBERS, type Portal, post, saveNumbers, statusOf } from '#server/tracking/networks/test-networks.ts'

/** The content of a device's message, in the terms that all protocols share; fields without a value are omitted. */
export type Content = {
  lat?: unknown
  lng?: unknown
  /** Time of the fix in any notation. */
  time?: unknown
  /** Fields beside the coordinates. */
  more?: Record<string, unknown>
}

const { rex } = SEED.devices
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_TYPE = { 'content-type': 'application/json' }
/** When the network receives message number `n`. */
const receivedAt = (n: number) => formatInstant(new Date(Date.parse('2026-03-02T08:58:00Z') + n * 1000))

const without = (values: Record<string, unknown>) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))
const texts = (values: Record<string, unknown>) =>
  Object.entries(without(values)).map(([name, value]): [string, string] => [name, textOf(value)])

/** `n` counts the messages, as devices and networks do. */
type Send = (portal: Portal, key: string, content: Content, n: number) => Promise<{ status: number; body: unknown }>

const decoded = ({ lat, lng, time, more }: Content) => without({ latitude: lat, longitude: lng, time, ...more })
const network =
  (path: string, build: (content: Content, n: number) => object): Send =>
  (portal, key, content, n) =>
    post(portal, path, build(content, n), { 'x-device-key': key })
const osmand = ({ lat, lng, time, more }: Content, id: string) => without({ id, lat, lon: lng, timestamp: time, ...more })

/** How each protocol of devices, apps and networks sends the same content. */
export const PROTOCOLS: Record<string, Send> = {
  'osmand query': (portal, key, content) => portal.call(null, 'GET', `/ingest/osmand?${new URLSearchParams(texts(osmand(content, key)))}`),
  'osmand form': (portal, key, content) =>
    portal.call(null, 'POST', '/ingest/osmand', `${new URLSearchParams(texts(osmand(content, key)))}`, FORM),
  'osmand JSON': (portal, key, content) => portal.call(null, 'POST', '/ingest/osmand', osmand(content, key), JSON_TYPE),
  'Traccar Client': (portal, key, { lat, lng, time, more }) => {
    const coords = lat === undefined ? undefined : { latitude: lat, longitude: lng }
    const location = without({ timestamp: time, coords, ...more })
    return portal.call(null, 'POST', '/ingest/osmand', { device_id: key, location }, JSON_TYPE)
  },
  OwnTracks: network('owntracks', ({ lat, lng, time, more }) => without({ _type: 'location', lat, lon: lng, tst: time, ...more })),
  Overland: network('overland', ({ lat, lng, time, more }) => ({
    locations: [
      { type: 'Feature', geometry: { type: 'Point', coordinates: [lng, lat] }, properties: without({ timestamp: time, ...more }) },
    ],
  })),
  ChirpStack: network('chirpstack?event=up', (content, n) => ({
    ...bodies.CHIRPSTACK_UP,
    deduplicationId: `uplink ${n}`,
    time: receivedAt(n),
    rxInfo: [{ nsTime: receivedAt(n) }],
    object: decoded(content),
  })),
  'ChirpStack 3': network('chirpstack?event=up', (content, n) => ({
    ...bodies.CHIRPSTACK3_UP,
    rxInfo: [{ uplinkID: `uplink ${n}` }],
    publishedAt: receivedAt(n),
    objectJSON: JSON.stringify(decoded(content)),
  })),
  Helium: network('helium', (content, n) => ({
    ...bodies.HELIUM_CONSOLE,
    fcnt: n,
    reported_at: receivedAt(n),
    decoded: { payload: decoded(content) },
  })),
  'The Things Stack': network('tts', (content, n) =>
    bodies.tts({ uplink_message: { f_cnt: n, received_at: receivedAt(n), decoded_payload: decoded(content) } }),
  ),
  ThingPark: network('thingpark', (content, n) => ({
    DevEUI_uplink: { DevEUI: bodies.DEV_EUI, Time: receivedAt(n), FCntUp: n, payload: decoded(content) },
  })),
  Sigfox: network('sigfox', ({ lat, lng, time, more }, n) => ({
    device: bodies.SIGFOX,
    seqNumber: n,
    time: Date.parse(receivedAt(n)) / 1000,
    ...without({ latitude: lat, longitude: lng, gps_time: time, ...more }),
  })),
  Traccar: network('traccar', ({ lat, lng, time, more = {} }, n) => ({
    device: { uniqueId: bodies.IMEI },
    position: { latitude: lat, longitude: lng, fixTime: time, deviceTime: time, serverTime: receivedAt(n), ...more, attributes: more },
  })),
}

/** Sets up one protocol in a portal at 09:01, in which networks know rex by every number. */
export async function openProtocol(protocol: string) {
  const portal = await startPortal()
  await saveNumbers(portal, rex, NUMBERS)
  const { key } = (await portal.call(ALICE, 'POST', `/devices/${rex}/keys/`, {})).body
  forward(portal, 60_000)
  let n = 0
  return {
    portal,
    send: (content: Content) => PROTOCOLS[protocol]!(portal, key, content, ++n),
    /** When the network received the last message. */
    receivedAt: () => receivedAt(n),
    readStatus: () => statusOf(portal),
    /** The positions of one second. */
    async listAt(at: Date) {
      const instant = formatInstant(at)
      const url = `/devices/${rex}/tracker_data/?not_before=${instant}&not_after=${instant}`
      return (await portal.call(ALICE, 'GET', url)).body.results as { lat: number; lng: number; event: string | null }[]
    },
    countRefused: async () =>
      (await portal.call(ALICE, 'GET', `/devices/${rex}/tracker_data/refused/`)).body as { reason: string; count: number }[],
    [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose](),
  }
}
