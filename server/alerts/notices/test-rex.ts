import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { DEVICE_KEY } from '#server/mock/seed/records/seed-secrets.ts'
import type { startPortal } from '#server/test/start-portal.ts'

type Portal = Pick<Awaited<ReturnType<typeof startPortal>>, 'call' | 'world'>

const ALICE = 'alice@example.com'
const METERS_PER_DEGREE = 111_000
const MINUTE_MS = 60_000

/** Lets Rex report that it is `meters` north of home at each of these times. */
async function report({ call }: Portal, meters: number, times: string[]) {
  const home = (await call(ALICE, 'GET', `/tracker_places/${SEED.places.home}/`)).body
  const { identifier } = (await call(ALICE, 'GET', `/devices/${SEED.devices.rex}/`)).body
  const at = { lat: home.lat + meters / METERS_PER_DEGREE, lng: home.lng as number }
  const positions = times.map((datetime) => ({ ...at, precision: 10, datetime }))
  const { status, body } = await call(null, 'POST', '/devices/ingest/', { identifier, positions }, { 'x-device-key': DEVICE_KEY })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return at
}

/** Half an hour later Rex is `meters` north of home. */
export function moveRex(portal: Portal, meters: number) {
  const { clock } = portal.world
  clock.set({ at: new Date(clock.now().getTime() + 30 * MINUTE_MS) })
  return report(portal, meters, [clock.now().toISOString()])
}

/** Rex reports far from home at these minutes after 9:00; the server receives it at `now`. Returns where it is. */
export function letRexLeave(portal: Portal, { now = '09:10', minutes = ['05', '10'] } = {}) {
  portal.world.clock.set({ at: new Date(`2026-03-02T${now}:00Z`) })
  const times = minutes.map((minute) => `2026-03-02T09:${minute}:00Z`)
  return report(portal, 2200, times)
}
