import { expect } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'
import * as bodies from './test-bodies.ts'

export type Portal = Awaited<ReturnType<typeof startPortal>>
export type Headers = Record<string, string>

export const ALICE = 'alice@example.com'
const { rex } = SEED.devices
/** A key that may report for all trackers, by identifier and S/N. */
export const GATEWAY = { 'x-device-key': 'demo-device-key' }
export const PLACE = { lat: -34.9, lng: -56.15 }
export const NUMBERS = { imei: bodies.IMEI, dev_eui: bodies.DEV_EUI, sigfox: bodies.SIGFOX }

export const forward = ({ clock }: Portal, ms: number) => clock.set({ at: new Date(clock.now().getTime() + ms) })

export const saveNumbers = (portal: Portal, device: number, numbers: object = NUMBERS, as = ALICE) =>
  portal.call(as, 'PUT', `/devices/${device}/network_numbers/`, { imei: null, dev_eui: null, sigfox: null, ...numbers })

const trackerKeys = new WeakMap<Portal, Headers>()

/** Enters the numbers of the test bodies for a tracker, and posts with its key from then on. */
export async function registerTracker(portal: Portal, device: number) {
  expect((await saveNumbers(portal, device)).status).toBe(200)
  const { key } = (await portal.call(ALICE, 'POST', `/devices/${device}/keys/`, {})).body
  trackerKeys.set(portal, { 'x-device-key': key })
}

/** A portal in which networks know rex by every kind of number, a minute after its start. */
export async function startNetworks() {
  const portal = await startPortal()
  await registerTracker(portal, rex)
  forward(portal, 60_000)
  return portal
}

/** Posts with the key of the registered tracker, unless `headers` carry another. */
export const post = (portal: Portal, path: string, body: unknown, headers: Headers = trackerKeys.get(portal) ?? {}) =>
  portal.call(null, 'POST', `/ingest/${path}`, body, { 'content-type': 'application/json', ...headers })

export const statusOf = async (portal: Portal, device: number = rex) =>
  (await portal.call(ALICE, 'GET', `/devices/${device}/tracker_status/`)).body

export const countPositions = async (portal: Portal) =>
  (await portal.call(ALICE, 'GET', `/devices/${rex}/tracker_data/?not_before=2026-02-20T00:00:00Z&not_after=2026-03-03T00:00:00Z`)).body
    .count
