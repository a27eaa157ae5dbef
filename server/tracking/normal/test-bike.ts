import { eq } from 'drizzle-orm'
import { DAY_MS, formatInstant, MINUTE_MS } from '#contracts/rules/time.ts'
import { HOME, MONDAY, move, repeatWeeks } from '#contracts/rules/tracking/usual/test-weeks.ts'
import type { Normal, SuggestedPlace } from '#contracts/trackers/normal.ts'
import { toFixed7 } from '#db/positions.ts'
import { devices } from '#db/schema/devices.ts'
import { usualAreas } from '#db/schema/positions.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { DEVICE_KEY } from '#server/mock/seed/records/seed-secrets.ts'
import { startPortal } from '#server/test/start-portal.ts'

export const ALICE = 'alice@example.com'
export const ID = SEED.devices.cityBike
const IDENTIFIER = '5550001234'
const PATH = `/devices/${ID}/normal/`
const PARK = move(HOME, 900, 400)
const OUTINGS = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, hour: 8, to: PARK }))

/** A bike whose only positions are those of some weeks of the same days, of which the last one ends now. */
export async function startBike(weeks: number) {
  const portal = await startPortal({ at: new Date(MONDAY + weeks * 7 * DAY_MS) })
  const { db } = portal.world
  const rows = repeatWeeks(weeks, OUTINGS).map(({ datetime, lat, lng, precision }) => ({
    ...{ time: datetime / 1000, lat: toFixed7(lat), lng: toFixed7(lng) },
    ...{ precision, event: null, battery: null },
  }))
  await db.write('everything', async (tx) => {
    // The simulator sends nothing for other numbers than those of the demo.
    await tx.update(devices).set({ identifier: null })
    await tx.update(devices).set({ identifier: IDENTIFIER }).where(eq(devices.id, ID))
    await db.positions.remove(tx, ID)
    await db.positions.add(tx, ID, rows)
  })
  return {
    ...portal,
    [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose](),
    read: async (): Promise<Normal> => (await portal.call(ALICE, 'GET', PATH)).body,
    set: (enabled: boolean) => portal.call(ALICE, 'PUT', PATH, { enabled }),
    dismiss: (points: unknown) => portal.call(ALICE, 'POST', `${PATH}dismissals/`, { points }),
    advance: (by: string) => portal.call(null, 'POST', '/mock/clock/advance', { by }),
    /** Sends a position so many metres south of home, `minutes` after the weeks. */
    async send(meters: number, minutes: number) {
      const at = MONDAY + weeks * 7 * DAY_MS + minutes * MINUTE_MS
      const wait = Math.round((at - portal.world.clock.now().getTime()) / 1000)
      if (wait > 0) await portal.call(null, 'POST', '/mock/clock/advance', { by: `PT${wait}S` })
      const positions = [{ ...move(HOME, -meters, 0), precision: 10, datetime: formatInstant(new Date(at)) }]
      return portal.call(null, 'POST', '/devices/ingest/', { identifier: IDENTIFIER, positions }, { 'x-device-key': DEVICE_KEY })
    },
    firings: async () => (await portal.call(ALICE, 'GET', `/alert_firings/?device=${ID}&kind=unusual`)).body.firings,
    suggestions: async (): Promise<SuggestedPlace[]> => (await portal.call(ALICE, 'GET', '/tracker_places/suggestions/')).body,
    row: async () => (await db.read.select().from(usualAreas).where(eq(usualAreas.deviceId, ID)))[0],
  }
}
