import { asc, eq } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DryRun } from '#contracts/alerts.ts'
import { DAY_MS, formatInstant } from '#contracts/rules/time.ts'
import { toFixed7 } from '#db/positions.ts'
import { alertFirings, contacts, places } from '#db/schema/places.ts'
import { createAlert } from '#server/alerts/change-alerts.ts'
import { alertDryRun } from '#server/tracking/dry-run/dry-run.handlers.ts'
import { type IngestWorld, ingest } from '#server/tracking/ingest/ingest.ts'
import { createTestWorld, HOME, OWNER } from '#server/tracking/test-world.ts'

/** Simulated months; the nightly run takes more. */
const MONTHS = Number(process.env.DRY_RUN_MONTHS ?? 30)

const START = Date.UTC(2026, 1, 1)
const DAYS = 30
const METERS_PER_DEGREE = 111_195

/** What a tracker does for some time, `meters` from the middle of the place; it reports every `interval` seconds for a while. */
const episode = fc.record({
  meters: fc.oneof(fc.integer({ min: 0, max: 120 }), fc.integer({ min: 150, max: 280 }), fc.integer({ min: 300, max: 5000 })),
  minutes: fc.oneof(fc.integer({ min: 2, max: 30 }), fc.integer({ min: 30, max: 1500 })),
  interval: fc.constantFrom(5, 20, 30, 60, 150, 600, 3600),
  precision: fc.integer({ min: 3, max: 60 }),
  reports: fc.integer({ min: 3, max: 20 }),
})

/** `faults`: fixes at a wrong place, at 0° N 0° E, or with a precision of kilometres; `sizes`: positions per message. */
const month = fc.record({
  daysBefore: fc.integer({ min: 0, max: 6 }),
  episodes: fc.array(episode, { minLength: 10, maxLength: 40 }),
  noise: fc.array(fc.integer({ min: -150, max: 150 }), { minLength: 20, maxLength: 100 }),
  faults: fc.array(fc.constantFrom(...Array.from({ length: 12 }, () => null), 'jump', 'zero', 'vague'), { minLength: 40, maxLength: 90 }),
  sizes: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 }),
  alert: fc.constantFrom('enter', 'leave', 'vehicle'),
  radius: fc.constantFrom(50, 120, 200, 400),
})
type Month = typeof month extends fc.Arbitrary<infer M> ? M : never

function simulate({ daysBefore, episodes, noise, faults }: Month) {
  const fixes: { lat: number; lng: number; precision: number; second: number }[] = []
  const end = START / 1000 + DAYS * 86_400
  let second = START / 1000 - daysBefore * 86_400
  let at = 0
  const add = (meters: number, precision: number) => {
    const nth = fixes.length
    const fault = faults[(nth * 7) % faults.length]
    const drift = ((noise[nth % noise.length] ?? 0) * precision) / 100
    const wrong = fault === 'jump' ? 40_000 : 0
    const point = { lat: HOME.lat + (meters + drift + wrong) / METERS_PER_DEGREE, lng: HOME.lng + drift / 300_000 }
    fixes.push({ ...(fault === 'zero' ? { lat: 0, lng: 0 } : point), precision: fault === 'vague' ? 4000 : precision, second })
  }
  for (let nth = 0; second < end; nth = (nth + 1) % episodes.length) {
    const { meters, minutes, interval, precision, reports } = episodes[nth]!
    for (const way = Math.abs(meters - at) / 12; second < end && Math.abs(meters - at) > 1; ) {
      add(at, precision)
      const seconds = Math.min(interval, Math.max(1, Math.ceil(way)))
      at += Math.sign(meters - at) * Math.min(Math.abs(meters - at), 12 * seconds)
      second += seconds
    }
    const over = second + minutes * 60
    for (let report = 0; report < reports && second < over && second < end; report++) {
      add(meters, precision)
      second += interval
    }
    second = Math.max(second, over)
  }
  return fixes
}

type Portal = Awaited<ReturnType<typeof createTestWorld>>

/** Sends positions through ingest, each message at the time of its newest position: of one day at most, since older ones fire nothing. */
async function send({ world }: Portal, id: number, fixes: ReturnType<typeof simulate>, sizes: readonly number[]) {
  const sent: Promise<unknown>[] = []
  for (let [first, nth] = [0, 0]; first < fixes.length; nth++) {
    const until = fixes[first]!.second + DAY_MS / 1000
    const some = fixes.slice(first, first + sizes[nth % sizes.length]!).filter(({ second }) => second < until)
    first += some.length
    const now = new Date(some.at(-1)!.second * 1000)
    const positions = some.map(({ second, ...fix }) => ({ ...fix, datetime: formatInstant(new Date(second * 1000)) }))
    sent.push(ingest({ ...world, clock: { now: () => now } } as IngestWorld, { identifier: String(1_000_000_000 + id), positions }))
  }
  await Promise.all(sent)
}

test(`a dry run over a month equals what ingest fired in it (${MONTHS} simulated months)`, async () => {
  using portal = await createTestWorld()
  const { db } = portal.world
  await db.write('everything', (tx) => tx.insert(contacts).values({ id: 1, accountId: 1, name: 'Bob', email: 'bob@example.org' }))
  let [id, fired] = [1, 0]
  await fc.assert(
    fc.asyncProperty(month, async (months) => {
      id++
      const { alert, radius, sizes } = months
      await portal.add(id, { kind: 'vehicle', mode: 3 })
      const place = { id, accountId: 1, name: 'Home', address: 'Street 1', type: 'home' as const, radius }
      await db.write('everything', (tx) => tx.insert(places).values({ ...place, lat: toFixed7(HOME.lat), lng: toFixed7(HOME.lng) }))
      const fixes = simulate(months)
      const isBefore = ({ second }: { second: number }) => second < START / 1000
      await send(portal, id, fixes.filter(isBefore), sizes)
      const watched = alert === 'vehicle' ? { place: null, trigger: null } : { place: id, trigger: alert }
      const draft = { name: null, devices: [id], unseen: [], contacts: [1], ...watched, vehicle_alert: alert === 'vehicle' }
      await db.write('everything', (tx) => createAlert(tx, OWNER, draft, new Date(START)))
      // The tracker takes the mode of a vehicle alert with its next message.
      await ingest({ ...portal.world, clock: { now: () => new Date(START) } } as IngestWorld, {
        identifier: String(1_000_000_000 + id),
        positions: [],
      })
      await send(
        portal,
        id,
        fixes.filter((fix) => !isBefore(fix)),
        sizes,
      )
      const rows = await db.read
        .select()
        .from(alertFirings)
        .where(eq(alertFirings.deviceId, id))
        .orderBy(asc(alertFirings.at), asc(alertFirings.id))
      const now = new Date(START + DAYS * DAY_MS - 1000)
      const run = (await alertDryRun.run(
        { body: { devices: [id], ...watched, vehicle_alert: draft.vehicle_alert, days: DAYS, tz: 'UTC' } },
        { ...portal.world, clock: { now: () => now }, viewer: OWNER } as never,
      )) as DryRun
      fired += rows.length
      expect(run.firings.map(({ kind, at }) => `${kind} ${at}`)).toEqual(rows.map(({ kind, at }) => `${kind} ${formatInstant(at)}`))
      expect(run.partial).toBe(false)
    }),
    { numRuns: MONTHS, endOnFailure: true },
  )
  expect(fired).toBeGreaterThan(MONTHS)
}, 600_000)
