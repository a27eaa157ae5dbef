import { and, asc, eq, isNotNull } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AlertRule, AlertSchedule, DryRun } from '#contracts/alerts.ts'
import type { Shape } from '#contracts/rules/geo/shape.ts'
import { DAY_MS, formatInstant } from '#contracts/rules/time.ts'
import { isPairRule, RULE_KINDS } from '#contracts/rules/tracking/rules/rule.ts'
import { toFixed7 } from '#db/positions.ts'
import { users } from '#db/schema/accounts.ts'
import { alertFirings, contacts, places } from '#db/schema/places.ts'
import { createAlert } from '#server/alerts/change-alerts.ts'
import { ruleDue } from '#server/alerts/due-alerts.ts'
import { runDue } from '#server/jobs/run-jobs.ts'
import { toColumns } from '#server/places/borders.ts'
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
  border: fc.constantFrom('circle', 'polygon', 'corridor'),
})
/** A square of twice the radius, and a way from west to east, around home. */
function drawShape({ border, radius: width }: Pick<Month, 'border' | 'radius'>): Shape | null {
  const corner = (east: number, north: number): [number, number] => [
    HOME.lat + (north * width) / METERS_PER_DEGREE,
    HOME.lng + (east * width) / METERS_PER_DEGREE,
  ]
  if (border === 'circle') return null
  return border === 'polygon'
    ? { type: 'polygon', points: [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)] }
    : { type: 'corridor', points: [corner(-3, 0), corner(3, 0)], width }
}

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

type Simulated = ReturnType<typeof simulate>

type Portal = Awaited<ReturnType<typeof createTestWorld>>

/** Sends positions through ingest, each message at the time of its newest position: of one day at most, since older ones fire nothing. */
async function send({ world }: Portal, id: number, fixes: Simulated, sizes: readonly number[]) {
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
      const shape = drawShape(months)
      const circle = shape ? toColumns(shape) : { lat: toFixed7(HOME.lat), lng: toFixed7(HOME.lng) }
      await db.write('everything', (tx) => tx.insert(places).values({ ...place, ...circle }))
      const fixes = simulate(months)
      const isBefore = ({ second }: { second: number }) => second < START / 1000
      await send(portal, id, fixes.filter(isBefore), sizes)
      const watched = alert === 'vehicle' ? { place: null, trigger: null } : { place: id, trigger: alert }
      const draft = {
        name: null,
        devices: [id],
        unseen: [],
        contacts: [1],
        ...watched,
        vehicle_alert: alert === 'vehicle',
        rule: null,
        schedule: null,
        pause: 0,
      }
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
}, 3_600_000)

/** What a tracker measures with each position, in turn; a speed of null is not sent. */
const measured = fc.record({
  battery: fc.integer({ min: 5, max: 100 }),
  speed: fc.constantFrom(null, null, 0, 8, 30, 60, 120),
})

const hour = fc.integer({ min: 0, max: 23 }).map((of) => `${String(of).padStart(2, '0')}:30`)

/** Statements take only objects with the usual prototype. */
const PLAIN = { noNullPrototype: true } as const

/** All rules of one tracker but `button` and `unusual`, which a dry run refuses. */
const anyRule: fc.Arbitrary<AlertRule> = fc.oneof(
  fc.constantFrom<AlertRule>({ kind: 'silent' }, { kind: 'back' }, { kind: 'moved' }),
  fc.record({ kind: fc.constant('battery' as const), below: fc.integer({ min: 10, max: 50 }) }, PLAIN),
  fc.record({ kind: fc.constant('stands' as const), minutes: fc.integer({ min: 10, max: 900 }) }, PLAIN),
  fc.record({ kind: fc.constant('speed' as const), over: fc.constantFrom(10, 25, 50), seconds: fc.constantFrom(0, 60, 600) }, PLAIN),
  fc.record({ kind: fc.constantFrom('not_arrived' as const, 'not_left' as const), by: hour }, PLAIN),
)

const anySchedule: fc.Arbitrary<AlertSchedule> = fc.record(
  { days: fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }), from: hour, to: hour },
  PLAIN,
)

/** One position in each message, because a dry run takes each stored position as a message. */
const ruledMonth = fc.record({
  month,
  rule: anyRule,
  schedule: fc.option(anySchedule),
  pause: fc.constantFrom(0, 0, 60, 2000),
  measures: fc.array(measured, { minLength: 5, maxLength: 40 }),
})

const isAtPlace = ({ kind }: AlertRule) => kind === 'not_arrived' || kind === 'not_left'

test(`a dry run of a rule equals what its alert fired (${MONTHS} simulated months)`, async () => {
  using portal = await createTestWorld()
  const { db } = portal.world
  await db.write('everything', async (tx) => {
    await tx.insert(contacts).values({ id: 1, accountId: 1, name: 'Bob', email: 'bob@example.org' })
    await tx.update(users).set({ timeZone: 'America/Montevideo' })
  })
  const fired = new Map<string, number>()
  const advised = new Set<string>()
  let id = 1
  await fc.assert(
    fc.asyncProperty(ruledMonth, async ({ month: months, rule, schedule: some, pause, measures }) => {
      id++
      await portal.add(id, { kind: 'vehicle', mode: 3 })
      const at = { lat: toFixed7(HOME.lat), lng: toFixed7(HOME.lng), radius: months.radius }
      const place = { id, accountId: 1, name: 'Home', address: 'Street 1', type: 'home' as const, ...at }
      await db.write('everything', (tx) => tx.insert(places).values(place))
      const fixes = simulate(months)
      const isBefore = ({ second }: { second: number }) => second < START / 1000
      await sendOneByOne(portal, id, fixes.filter(isBefore), measures)
      // The time of the rule lies within a schedule of whole days.
      const schedule = some && isAtPlace(rule) ? { ...some, from: '00:00', to: '00:00' } : some
      const watched = { devices: [id], place: isAtPlace(rule) ? id : null, trigger: null, vehicle_alert: false, rule, schedule, pause }
      const draft = { name: null, unseen: [], contacts: [1], ...watched }
      await db.write('everything', (tx) => createAlert(tx, OWNER, draft, new Date(START)))
      const after = fixes.filter((fix) => !isBefore(fix))
      await sendOneByOne(portal, id, after, measures)
      const now = new Date(START + DAYS * DAY_MS - 1000)
      await runDue(portal.world as never, now, { jobs: [ruleDue] })
      const rows = await db.read
        .select()
        .from(alertFirings)
        .where(and(eq(alertFirings.deviceId, id), isNotNull(alertFirings.lat), eq(alertFirings.kind, rule.kind)))
        .orderBy(asc(alertFirings.at), asc(alertFirings.id))
      const context = { ...portal.world, clock: { now: () => now }, viewer: OWNER } as never
      const tryRule = async (tried: AlertRule) =>
        (await alertDryRun.run({ body: { ...watched, rule: tried, days: DAYS, tz: 'UTC' } }, context)) as DryRun
      const run = await tryRule(rule)
      if (run.rule_advice) {
        const { rule: other, ...counts } = run.rule_advice
        advised.add(rule.kind)
        expect(await tryRule(other)).toMatchObject(counts)
        expect(counts.total).toBeLessThan(run.total)
      }
      fired.set(rule.kind, (fired.get(rule.kind) ?? 0) + rows.length)
      expect(run.firings.map(({ kind, at }) => `${kind} ${at}`)).toEqual(rows.map(({ kind, at }) => `${kind} ${formatInstant(at)}`))
      expect(run.partial).toBe(false)
    }),
    { numRuns: MONTHS, endOnFailure: true, seed: 142 },
  )
  const kinds = RULE_KINDS.filter((kind) => (fired.get(kind) ?? 0) > 0)
  expect(kinds).toEqual(RULE_KINDS.filter((kind) => kind !== 'button' && kind !== 'unusual' && !isPairRule({ kind })))
  expect(advised.size).toBeGreaterThan(0)
}, 3_600_000)

type Measure = { battery: number; speed: number | null }

async function sendOneByOne({ world }: Portal, id: number, fixes: Simulated, measures: readonly Measure[]) {
  await Promise.all(
    fixes.map(({ second, ...fix }) => {
      const now = new Date(second * 1000)
      // By the time, so that it goes on where the messages before the alert ended.
      const { battery, speed } = measures[Math.floor(second / 600) % measures.length]!
      const position = { ...fix, datetime: formatInstant(now), ...(speed !== null && { speed }) }
      const message = { identifier: String(1_000_000_000 + id), battery, positions: [position] }
      return ingest({ ...world, clock: { now: () => now } } as IngestWorld, message)
    }),
  )
}
