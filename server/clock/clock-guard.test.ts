import { expect, test, vi } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contracts/rules/time.ts'
import { tokens } from '#db/schema/accounts.ts'
import { alertFirings } from '#db/schema/places.ts'
import { positions } from '#db/schema/positions.ts'
import { cleanUp } from '#server/jobs/clean-up.ts'
import { runDue } from '#server/jobs/run-jobs.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { ANCHOR } from '#server/test/test-files.ts'
import { removeOldPositions } from '#server/tracking/retention/remove-old.ts'
import { acceptClock } from './accept-clock.ts'
import { createClockGuard } from './clock-guard.ts'
import { findClockMark } from './clock-marks.store.ts'

/** A seeded database with a server whose clocks the test moves. */
async function startGuarded({ isTrusted = false } = {}) {
  const portal = await startPortal()
  const { readClock: _, ...db } = portal.world.db
  const time = { wall: ANCHOR.getTime(), monotonic: 0, outside: null as number | null }
  const clock = { now: () => new Date(time.wall) }
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  const readOutside = vi.fn(async () => (time.outside === null ? null : new Date(time.outside)))
  const start = () => createClockGuard({ db, clock, log }, { isTrusted, readMonotonicMs: () => time.monotonic, readOutside })
  const guard = start()
  return {
    ...portal,
    time,
    log,
    guard,
    readOutside,
    /** Another process on the same database. */
    start,
    pass(ms: number) {
      time.wall += ms
      time.monotonic += ms
    },
    accept: (options = {}) => acceptClock({ db, clock, print: () => {} }, options),
    lagDays: async () => (await findClockMark(db.read))!.removalLag / 86_400,
    [Symbol.asyncDispose]: portal[Symbol.asyncDispose],
  }
}

test('a clock that agrees with the newest entry is trusted, and is saved every minute', async () => {
  await using portal = await startGuarded()
  await portal.guard.check()
  portal.pass(MINUTE_MS)
  await portal.guard.check()
  expect(portal.guard.isTrusted()).toBe(true)
  expect((await findClockMark(portal.world.db.read))?.seenAt).toEqual(new Date(ANCHOR.getTime() + MINUTE_MS))
  expect(portal.readOutside).not.toHaveBeenCalled()
})

test.each([
  ['400 days ahead', 400 * DAY_MS],
  ['an hour ahead', HOUR_MS],
  ['an hour behind', -HOUR_MS],
])('a start with a clock %s is in doubt, in one line of the log, until the clock is set right', async (_, shift) => {
  await using portal = await startGuarded()
  portal.time.wall += shift
  for (let round = 0; round < 3; round++) {
    await portal.guard.check()
    portal.pass(5000)
  }
  expect(portal.guard.isTrusted()).toBe(false)
  expect(portal.guard.state().offset / shift).toBeCloseTo(1, 2)
  expect(portal.log.error).toHaveBeenCalledOnce()
  portal.time.wall = ANCHOR.getTime() + MINUTE_MS
  await portal.guard.check()
  expect(portal.guard.isTrusted()).toBe(true)
})

test('an outside clock confirms a week without a server, and detects a wrong clock', async () => {
  await using portal = await startGuarded()
  portal.time.wall += 7 * DAY_MS
  portal.time.outside = ANCHOR.getTime()
  await portal.guard.check()
  expect(portal.guard.state().reason).toContain('7 days ahead of the clock of the card provider')
  portal.time.outside = portal.time.wall
  portal.pass(MINUTE_MS)
  await portal.guard.check()
  expect(portal.guard.isTrusted()).toBe(true)
})

test('when the operator accepts a week without a server, removals by age are postponed by that week', async () => {
  await using portal = await startGuarded()
  await portal.guard.check()
  portal.time.wall += 7 * DAY_MS
  const next = portal.start()
  await next.check()
  expect(next.isTrusted()).toBe(false)
  expect(await portal.accept()).toBe(true)
  await next.check()
  expect([next.isTrusted(), await portal.lagDays()]).toEqual([true, 7])
  await portal.accept({ catchesUp: true })
  expect(await portal.lagDays()).toBe(0)
})

test('accepting the right clock reverts the acceptance of a wrong one', async () => {
  await using portal = await startGuarded()
  await portal.guard.check()
  portal.time.wall += 400 * DAY_MS
  await portal.accept()
  portal.time.wall -= 400 * DAY_MS
  const next = portal.start()
  await next.check()
  expect(next.isTrusted()).toBe(false)
  await portal.accept()
  await next.check()
  expect([next.isTrusted(), await portal.lagDays()]).toEqual([true, 0])
})

test('a row from the future blocks nothing once the clock is accepted', async () => {
  await using portal = await startGuarded()
  await portal.token('alice@example.com')
  await portal.world.db.write('everything', (tx) => tx.update(tokens).set({ lastSeenAt: new Date('2031-01-01T00:00:00Z') }))
  await portal.guard.check()
  expect(portal.guard.isTrusted()).toBe(false)
  await portal.accept()
  for (const hours of [0, 24]) {
    portal.pass(hours * HOUR_MS)
    await portal.guard.check()
    expect(portal.guard.isTrusted()).toBe(true)
  }
  portal.time.wall += 2 * DAY_MS
  const next = portal.start()
  await next.check()
  expect(next.state().reason).toContain('2 days ahead')
})

test('a clock that jumps is in doubt at once, however long that lasts, and right again when it is set back', async () => {
  await using portal = await startGuarded()
  await portal.guard.check()
  for (const jump of [2 * 365 * DAY_MS, -HOUR_MS]) {
    portal.time.wall += jump
    expect(portal.guard.isTrusted()).toBe(false)
    for (let hour = 0; hour < 3; hour++) {
      portal.pass(HOUR_MS)
      await portal.guard.check()
      expect(portal.guard.isTrusted()).toBe(false)
    }
    portal.time.wall -= jump
    await portal.guard.check()
    expect(portal.guard.isTrusted()).toBe(true)
  }
  expect(portal.log.error).toHaveBeenCalledTimes(2)
})

test('a clock that is corrected by a few minutes is trusted', async () => {
  await using portal = await startGuarded()
  await portal.guard.check()
  for (const correction of [4, -4]) {
    portal.time.wall += correction * MINUTE_MS
    expect(portal.guard.isTrusted()).toBe(true)
    await portal.guard.check()
  }
})

test('another server whose clock continued evenly explains the jump of this one, as after a sleep', async () => {
  await using portal = await startGuarded()
  await portal.guard.check()
  portal.time.wall += 3 * HOUR_MS
  await portal.accept()
  expect(portal.guard.isTrusted()).toBe(false)
  await portal.guard.check()
  expect(portal.guard.isTrusted()).toBe(true)
})

test('if the database has another time, the clock is in doubt and cannot be accepted', async () => {
  await using portal = await startGuarded()
  const now = () => new Date(ANCHOR.getTime() + 400 * DAY_MS)
  const db = { ...portal.world.db, readClock: async () => ANCHOR }
  const guard = createClockGuard({ db, clock: { now }, log: portal.log })
  await guard.check()
  expect(guard.state().reason).toContain('400 days ahead of the clock of the database')
  const lines: string[] = []
  expect(await acceptClock({ db, clock: { now }, print: (line) => lines.push(line) })).toBe(false)
  expect(lines.join()).toContain('set both right')
})

test('with CLOCK_TRUSTED=on every clock is trusted, and a gap still postpones removals by age', async () => {
  await using portal = await startGuarded({ isTrusted: true })
  portal.time.wall += 400 * DAY_MS
  await portal.guard.check()
  portal.time.wall += HOUR_MS
  expect([portal.guard.isTrusted(), Math.round(await portal.lagDays())]).toEqual([true, 400])
})

test('after a gap of 400 days nothing is removed by age that was young before it', async () => {
  await using portal = await startGuarded()
  await portal.token('alice@example.com')
  await portal.call('alice@example.com', 'PUT', '/users/retention/', { days: 365 })
  const { db } = portal.world
  const count = async () => [await db.read.$count(tokens), await db.read.$count(positions), await db.read.$count(alertFirings)]
  await portal.guard.check()
  const before = await count()
  portal.time.wall += 400 * DAY_MS
  await portal.accept()
  await runDue(portal.world, new Date(portal.time.wall), { jobs: [cleanUp, removeOldPositions] })
  expect(await count()).toEqual(before)
  portal.pass(31 * DAY_MS)
  await runDue(portal.world, new Date(portal.time.wall), { jobs: [cleanUp, removeOldPositions] })
  expect((await count())[0]).toBe(0)
})
