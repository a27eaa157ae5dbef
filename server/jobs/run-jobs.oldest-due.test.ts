import { eq, isNull } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { NETWORK_SILENCE_DAYS } from '#contracts/rules/tracking/reporting.ts'
import { accounts, dataCopies, throttles } from '#db/schema/accounts.ts'
import { subscriptions } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import { alertDevices, alerts, heldAlerts } from '#db/schema/places.ts'
import { daySummaries, latePeriods, usualAreas } from '#db/schema/positions.ts'
import { planPauses, publicLinks } from '#db/schema/sharing.ts'
import { announcements, priceChanges } from '#db/schema/staff.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { findOldestDue, JOBS, nextDue, runDue } from './run-jobs.ts'
import { subscriptionReminder } from './subscription-reminder.ts'
import { days, hours, startJobsPortal } from './test-jobs.ts'

const { misty, kitchen, rex } = SEED.devices
const seconds = (at: Date) => at.getTime() / 1000
const later = (at: Date, ms: number) => new Date(at.getTime() + ms)
type Portal = Awaited<ReturnType<typeof startJobsPortal>>

/** Adds work for the jobs that have none in a seeded world, all of it due within the next days. */
const plant = ({ world: { db } }: Portal) =>
  db.write('everything', async (tx) => {
    const userId = 1
    await tx.update(accounts).set({ retentionDays: 365, retentionDueAt: hours(30) })
    await tx.update(devices).set({ boostUntil: hours(5) })
    await tx
      .update(devices)
      .set({ networkState: 'activated', lastMessageAt: days(1 - NETWORK_SILENCE_DAYS), networkActivatedAt: null })
      .where(eq(devices.id, kitchen))
    await tx
      .update(devices)
      .set({ subState: 'active', subEndDate: days(3) })
      .where(eq(devices.id, rex))
    await tx.delete(subscriptions).where(eq(subscriptions.deviceId, rex))
    await tx.update(publicLinks).set({ endsAt: days(1), isPermanent: false, endToldAt: null })
    await tx.insert(throttles).values({ key: 'k', count: 1, resetsAt: hours(2) })
    await tx.insert(heldAlerts).values({ userId, accountId: 1, deviceId: misty, at: hours(0), kind: 'low_battery', until: hours(8) })
    const rule = { kind: 'not_arrived' as const, by: '20:00' }
    await tx.update(alerts).set({ rule, trigger: null }).where(eq(alerts.id, SEED.alerts.leaveHome))
    await tx
      .update(alertDevices)
      .set({ dueAt: hours(11) })
      .where(eq(alertDevices.alertId, SEED.alerts.leaveHome))
    await tx.insert(latePeriods).values({ deviceId: misty, start: seconds(days(-2)), dueAt: hours(9) })
    const notice = { level: 'info' as const, texts: { en: 'On Sunday the map rests' }, createdAt: hours(0), isMailed: true }
    await tx.insert(announcements).values({ ...notice, startsAt: hours(6), endsAt: days(5) })
    const planned = {
      unitAmount: 1695,
      formerAmount: 1495,
      running: 'change' as const,
      noticeDays: 0,
      createdAt: hours(0),
      createdBy: 'Fay',
    }
    await tx.insert(priceChanges).values({ ...planned, priceId: 'eur-12m', noticeAt: hours(7), startsAt: hours(20) })
    await tx.insert(planPauses).values({ accountId: 1, deviceId: misty, isOwn: true, startedAt: hours(0), until: hours(10) })
    await tx
      .update(devices)
      .set({ pausedFrom: hours(0), pausedUntil: hours(10) })
      .where(eq(devices.id, misty))
    const numbers = { meters: 0, movingSeconds: 0, topSpeed: 0, trips: 0, stops: 0, longestStopSeconds: 0, positions: 0 }
    const day = { deviceId: misty, start: seconds(days(-1)), end: seconds(hours(3)), isStale: true }
    await tx.insert(daySummaries).values({ ...numbers, ...day })
    await tx.insert(usualAreas).values({ deviceId: misty, isOn: true, dueAt: hours(2) })
  })

/** A world whose only subscription is about to end, and how late its reminders are at an instant, in seconds. */
async function startWithOneEnd(end: Date) {
  const portal = await startJobsPortal()
  const { db } = portal.world
  await db.write('everything', async (tx) => {
    await tx.delete(subscriptions)
    await tx.update(devices).set({ subEndDate: null, identifier: null })
  })
  await portal.change(kitchen, { subState: 'active', subEndDate: end })
  const lateAt = async (now: Date) => {
    const since = await findOldestDue(portal.world, now, [subscriptionReminder])
    return since ? (now.getTime() - since.getTime()) / 1000 : 0
  }
  return { ...portal, lateAt, [Symbol.asyncDispose]: portal[Symbol.asyncDispose] }
}

describe('the metric of late jobs', () => {
  test('each job is late from when it is due until it has run, over four days of a seeded world', async () => {
    await using portal = await startJobsPortal()
    await plant(portal)
    const { db, graceDays } = portal.world
    const seen = new Set<string>()
    let now = hours(0)
    await runDue(portal.world, now)
    for (;;) {
      for (const job of JOBS) expect([job.name, await findOldestDue(portal.world, now, [job])]).toEqual([job.name, null])
      const next = await nextDue(portal.world, now)
      if (!next || next > days(4)) break
      for (const job of JOBS) {
        if ((await job.next(db.read, now, graceDays))?.getTime() !== next.getTime()) continue
        if ((await job.due(db.read, next, graceDays)).length === 0) continue
        seen.add(job.name)
        expect([job.name, await findOldestDue(portal.world, later(next, 90_000), [job])]).toEqual([job.name, next])
      }
      now = next
      await runDue(portal.world, now)
    }
    // A requested data copy and the mails about a withdrawn price are due at once.
    const others = JOBS.map(({ name }) => name).filter((name) => !['data_copy', 'price_recall'].includes(name))
    expect([...seen].sort()).toEqual(others.sort())
  })

  test('a mailed reminder is not late, and the next one is', async () => {
    await using portal = await startWithOneEnd(days(40))
    const morning = new Date('2026-03-12T08:00:00Z')
    expect(await portal.lateAt(later(morning, 120_000))).toBe(120)
    await runDue(portal.world, later(morning, 120_000))
    expect(await portal.lateAt(later(morning, 120_000))).toBe(0)
    expect(await portal.lateAt(new Date('2026-04-04T07:59:59Z'))).toBe(0)
    expect(await portal.lateAt(new Date('2026-04-04T08:05:00Z'))).toBe(300)
  })

  test('a reminder that was skipped because the server was down is not late', async () => {
    await using portal = await startWithOneEnd(days(40))
    expect(await portal.lateAt(new Date('2026-03-13T08:00:00Z'))).toBe(0)
    expect(await portal.lateAt(new Date('2026-03-20T12:00:00Z'))).toBe(0)
  })

  test('an abandoned copy of the data does not make a newer one late', async () => {
    await using portal = await startWithOneEnd(days(400))
    await portal.world.db.write('everything', (tx) =>
      tx.insert(dataCopies).values([
        { userId: 1, createdAt: days(-3), endsAt: hours(-1) },
        { userId: 1, createdAt: hours(0), endsAt: days(3) },
      ]),
    )
    const copies = JOBS.filter(({ name }) => name === 'data_copy')
    expect(await findOldestDue(portal.world, later(hours(0), 60_000), copies)).toEqual(hours(0))
    expect(await portal.world.db.read.$count(dataCopies, isNull(dataCopies.readyAt))).toBe(2)
  })
})
