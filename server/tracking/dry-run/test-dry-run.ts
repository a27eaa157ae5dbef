import type { DryRun } from '#contracts/alerts.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import { toFixed7 } from '#db/positions.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { ANCHOR } from '#server/test/test-files.ts'

export const ALICE = 'alice@example.com'
export const CENTRE = { lat: -34.7, lng: -56.3 }
export const CIRCLE = { ...CENTRE, radius: 200 }
const { misty } = SEED.devices
export const METERS_PER_DEGREE = 111_195
const DAY_SECONDS = 86_400

/** A server whose tracker was, at these minutes after a midnight (UTC) twenty days ago, so many metres from the middle of `CIRCLE`. */
export async function startDryRuns(visits: readonly (readonly [minute: number, meters: number])[]) {
  const portal = await startPortal()
  const midnight = Math.floor(ANCHOR.getTime() / 1000 / DAY_SECONDS) * DAY_SECONDS - 20 * DAY_SECONDS
  const { db } = portal.world
  const seconds = new Map(visits.map(([minute, meters]) => [midnight + minute * 60, meters]))
  await db.write('everything', async (tx) => {
    await db.positions.remove(tx, misty)
    const rows = [...seconds].map(([time, meters]) => ({
      ...{ time, precision: 5, event: null, battery: null },
      ...{ lat: toFixed7(CENTRE.lat + meters / METERS_PER_DEGREE), lng: toFixed7(CENTRE.lng) },
    }))
    await db.positions.add(tx, misty, rows)
  })
  const run = (body: object, who = ALICE) => portal.call(who, 'POST', '/tracker_alerts/dry_run/', { devices: [misty], tz: 'UTC', ...body })
  return {
    portal,
    run,
    try: async (body: object): Promise<DryRun> => (await run({ circle: CIRCLE, trigger: 'leave', ...body })).body,
    instant: (minute: number) => formatInstant(new Date((midnight + minute * 60) * 1000)),
    [Symbol.asyncDispose]: portal[Symbol.asyncDispose],
  }
}

/** So many metres from the middle, from minute to minute, a position every ten minutes. */
export const stay = (meters: number, from: number, to: number) =>
  Array.from({ length: Math.floor((to - from) / 10) }, (_, index) => [from + index * 10, meters] as const)

export const NOON = 12 * 60
export const DAY = 24 * 60
