import { asc } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DryRun } from '#contracts/alerts.ts'
import { DAY_MS, formatInstant, MINUTE_MS } from '#contracts/rules/time.ts'
import type { RuleOf } from '#contracts/rules/tracking/rules/rule.ts'
import { alertFirings, contacts } from '#db/schema/places.ts'
import { createAlert } from '#server/alerts/change-alerts.ts'
import { ruleDue } from '#server/alerts/due-alerts.ts'
import { runDue } from '#server/jobs/run-jobs.ts'
import { alertDryRun } from '#server/tracking/dry-run/dry-run.handlers.ts'
import { type IngestWorld, ingest } from '#server/tracking/ingest/ingest.ts'
import { createTestWorld, HOME, OWNER } from '#server/tracking/test-world.ts'

/** Simulated months; the nightly run takes more. */
const MONTHS = Number(process.env.DRY_RUN_MONTHS ?? 15)

const START = Date.UTC(2026, 1, 1)
const DAYS = 30
const MAX_REPORTS = 300
const METERS_PER_DEGREE = 111_195

/** What a tracker does: it goes `meters` from home and reports there every `interval` minutes, then nothing for `silence` minutes. */
const episode = fc.record({
  meters: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 400, max: 700 }), fc.integer({ min: 1000, max: 9000 })),
  interval: fc.constantFrom(0.2, 1, 3, 10, 14, 60, 230),
  reports: fc.integer({ min: 1, max: 12 }),
  silence: fc.constantFrom(0, 0, 5, 30, 200, 2000),
  precision: fc.integer({ min: 3, max: 80 }),
})

const pairMonth = fc.record({
  tracks: fc.tuple(fc.array(episode, { minLength: 8, maxLength: 30 }), fc.array(episode, { minLength: 8, maxLength: 30 })),
  noise: fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 20, maxLength: 60 }),
  kind: fc.constantFrom<RuleOf<'apart' | 'together'>['kind']>('apart', 'together'),
  meters: fc.constantFrom(200, 500, 1000),
  pause: fc.constantFrom(0, 0, 600),
})

type PairMonth = typeof pairMonth extends fc.Arbitrary<infer M> ? M : never

/** Reports of both trackers in the order of time, at most `MAX_REPORTS` of each. */
function simulate({ tracks, noise }: PairMonth, ids: readonly [number, number]) {
  const reports = tracks.flatMap((episodes, of) => {
    const own: { id: number; second: number; lat: number; lng: number; precision: number }[] = []
    let second = START / 1000 - 2 * 86_400 + of * 7
    for (let nth = 0; own.length < MAX_REPORTS && second < START / 1000 + DAYS * 86_400; nth = (nth + 1) % episodes.length) {
      const { meters, interval, reports: count, silence, precision } = episodes[nth]!
      for (let report = 0; report < count; report++) {
        const drift = ((noise[own.length % noise.length] ?? 0) * precision) / 100
        own.push({
          id: ids[of]!,
          second: Math.round(second),
          lat: HOME.lat + (meters + drift) / METERS_PER_DEGREE,
          lng: HOME.lng,
          precision,
        })
        second += interval * 60
      }
      second += silence * 60 + 11
    }
    return own
  })
  return reports.filter(({ second }) => second < START / 1000 + DAYS * 86_400).sort((a, b) => a.second - b.second)
}

test(`a dry run of a rule about two trackers equals what its alert fired (${MONTHS} simulated months)`, async () => {
  let fired = 0
  await fc.assert(
    fc.asyncProperty(pairMonth, async (month) => {
      using portal = await createTestWorld()
      const { db } = portal.world
      await portal.add(2, { kind: 'vehicle', mode: 3 })
      await portal.add(3, { kind: 'vehicle', mode: 1 })
      await db.write('everything', (tx) => tx.insert(contacts).values({ id: 1, accountId: 1, name: 'Bob', email: 'bob@example.org' }))
      const reports = simulate(month, [2, 3])
      const send = (some: typeof reports) =>
        Promise.all(
          some.map(({ id, second, ...fix }) => {
            const now = new Date(second * 1000)
            const message = { identifier: String(1_000_000_000 + id), positions: [{ ...fix, datetime: formatInstant(now) }] }
            return ingest({ ...portal.world, clock: { now: () => now } } as IngestWorld, message)
          }),
        )
      const isBefore = ({ second }: { second: number }) => second < START / 1000
      await send(reports.filter(isBefore))
      const rule = { kind: month.kind, meters: month.meters }
      const watched = { devices: [2, 3], place: null, trigger: null, vehicle_alert: false, rule, schedule: null, pause: month.pause }
      const draft = { name: null, unseen: [], contacts: [1], ...watched }
      await db.write('everything', (tx) => createAlert(tx, OWNER, draft, new Date(START)))
      await send(reports.filter((report) => !isBefore(report)))
      const now = new Date(START + DAYS * DAY_MS - MINUTE_MS)
      await runDue(portal.world as never, now, { jobs: [ruleDue] })
      const rows = await db.read.select().from(alertFirings).orderBy(asc(alertFirings.at), asc(alertFirings.id))
      const context = { ...portal.world, clock: { now: () => now }, viewer: OWNER } as never
      const run = (await alertDryRun.run({ body: { ...watched, days: DAYS, tz: 'UTC' } }, context)) as DryRun
      fired += rows.length
      expect(run.firings.map(({ device, kind, at }) => `${device} ${kind} ${at}`)).toEqual(
        rows.map(({ deviceId, kind, at }) => `${deviceId} ${kind} ${formatInstant(at)}`),
      )
      expect(run.partial).toBe(false)
    }),
    { numRuns: MONTHS, endOnFailure: true, seed: 142 },
  )
  expect(fired).toBeGreaterThan(MONTHS)
}, 3_600_000)
