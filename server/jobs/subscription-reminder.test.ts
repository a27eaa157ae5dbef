import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { subscriptions } from '#db/schema/commerce.ts'
import { devices } from '#db/schema/devices.ts'
import { renderMail } from '#server/mail/mail-render.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { days, startJobsPortal } from './test-jobs.ts'

const { misty, kitchen, rex } = SEED.devices
const bought = { months: 12, extra: 0, options: [], startedAt: days(-300) }

/** A world in which none of the seeded subscriptions ends, and no tracker sends. */
async function startQuietPortal(graceDays: number | null = 14) {
  const portal = await startJobsPortal({ graceDays })
  const { db } = portal.world
  await db.write('everything', async (tx) => {
    await tx.delete(subscriptions)
    await tx.update(devices).set({ subState: 'active', subEndDate: null, identifier: null })
  })
  const itemsOf = async () => (await portal.mails('subscription_reminder')).map(({ data }) => JSON.parse(data.items!) as object[])
  const hold = (deviceId: number, held: Partial<typeof subscriptions.$inferInsert>) =>
    db.write('everything', (tx) =>
      tx.insert(subscriptions).values({ ...bought, deviceId, priceId: 'eur-12m', isRecurring: false, ...held }),
    )
  return { ...portal, itemsOf, hold, [Symbol.asyncDispose]: portal[Symbol.asyncDispose] }
}

describe('reminders of the end of a subscription', () => {
  test('the owner is reminded 30, 7 and 1 day before the end, each once, with a link to extend', async () => {
    await using portal = await startQuietPortal()
    await portal.change(misty, { subState: 'active', subEndDate: days(40) })
    await portal.hold(misty, { endsAt: days(40) })
    expect(await portal.advance('P39DT12H', 'subscription_reminder')).toEqual(
      ['2026-03-12', '2026-04-04', '2026-04-10'].map((day) => ({
        at: `${day}T08:00:00Z`,
        kind: 'subscription_reminder',
        ref: 'accounts/1',
      })),
    )
    const [mail, ...others] = await portal.mails('subscription_reminder')
    expect([mail!.to, others.length]).toEqual(['alice@example.com', 2])
    expect(renderMail(mail!, portal.world)).toMatchObject({
      subject: 'The subscription of Misty ends on 11 April 2026',
      links: [`http://portal.test/subscription?devices=${misty}`],
    })
  })

  test('the reminders of several trackers on one day are one mail, which lists what renews at which price', async () => {
    await using portal = await startQuietPortal()
    await portal.change(misty, { subState: 'active', subEndDate: days(8) })
    await portal.change(kitchen, { subState: 'active', subEndDate: new Date(days(8).getTime() + 3_600_000) })
    await portal.change(rex, { subState: 'active', subEndDate: days(8) })
    await portal.hold(rex, { isRecurring: true, renewsAt: days(8), endsAt: days(8) })
    expect(await portal.advance('P2D', 'subscription_reminder')).toHaveLength(1)
    expect(await portal.itemsOf()).toEqual([
      [
        { tracker: 'Misty', device: misty, isRenewed: false, at: '2026-03-10T09:00:00Z' },
        { tracker: 'Rex', device: rex, isRenewed: true, at: '2026-03-10T09:00:00Z', amount: '1495', currency: 'eur' },
        { tracker: 'Kitchen', device: kitchen, isRenewed: false, at: '2026-03-10T10:00:00Z' },
      ],
    ])
    const [mail] = await portal.mails('subscription_reminder')
    const { text, links } = renderMail(mail!, portal.world)
    expect(text).toContain('Rex: renews on 10 March 2026 for €14.95')
    expect(links).toEqual([`http://portal.test/subscription?devices=${misty},${kitchen}`])
  })

  test('a subscription that was extended, has just begun or renews gets no reminder of its end', async () => {
    await using portal = await startQuietPortal()
    await portal.change(misty, { subState: 'active', subEndDate: days(8) })
    await portal.change(kitchen, { subState: 'active', subEndDate: days(31) })
    await portal.hold(kitchen, { months: 1, startedAt: days(0), endsAt: days(31) })
    await portal.change(rex, { subState: 'active', subEndDate: days(31) })
    await portal.hold(rex, { isRecurring: true, renewsAt: days(31), endsAt: days(31) })
    await portal.change(misty, { subEndDate: days(373) })
    expect(await portal.advance('P5D', 'subscription_reminder')).toEqual([])
  })

  test('a reminder that is more than a day late is skipped', async () => {
    await using portal = await startQuietPortal()
    await portal.change(misty, { subState: 'active', subEndDate: days(5) })
    expect(await portal.advance('P1D', 'subscription_reminder')).toEqual([])
    expect(await portal.advance('P3D', 'subscription_reminder')).toHaveLength(1)
    await portal.world.db.write('everything', (tx) => tx.update(devices).set({ subState: 'ended' }).where(eq(devices.id, misty)))
    expect(await portal.advance('P1D', 'subscription_reminder')).toEqual([])
  })
})

describe('the mail about the beginning of a rest', () => {
  test('the owner gets one mail with a link to renew on the day the grace period ends', async () => {
    await using portal = await startQuietPortal()
    await portal.change(misty, { subState: 'active', subEndDate: days(0.5) })
    await portal.change(rex, { subState: 'not_activated', createdAt: days(0.5) })
    expect(await portal.advance('P13D', 'subscription_reminder')).toEqual([])
    expect(await portal.advance('P40D', 'subscription_reminder')).toEqual([
      { at: '2026-03-16T08:00:00Z', kind: 'subscription_reminder', ref: 'accounts/1' },
    ])
    const at = '2026-03-16T21:00:00Z'
    expect(await portal.itemsOf()).toEqual([
      [
        { tracker: 'Rex', device: rex, at, isRenewed: false, isResting: true },
        { tracker: 'Misty', device: misty, at, isRenewed: false, isResting: true },
      ].toSorted((a, b) => a.device - b.device),
    ])
    const [ended] = await portal.mails('subscription_ended')
    expect(renderMail(ended!, portal.world).text).toContain('It is still shown until 16 March 2026.')
    const [mail] = await portal.mails('subscription_reminder')
    expect(renderMail(mail!, portal.world).text).toContain('Misty: rests from 16 March 2026')
  })

  test('a tracker that is renewed in time, linked to a pro account, or needs no subscription gets none', async () => {
    await using portal = await startQuietPortal()
    await portal.change(misty, { subState: 'ended', subEndDate: days(-13) })
    await portal.change(rex, { subState: 'ended', subEndDate: days(-10), isLinkedToPro: true })
    await portal.change(kitchen, { subState: 'none', createdAt: days(-10) })
    await portal.change(misty, { subState: 'active', subEndDate: days(300) })
    expect(await portal.advance('P20D', 'subscription_reminder')).toEqual([])
  })

  test('it comes when the days of grace since the first time that the account had the tracker are over', async () => {
    await using portal = await startQuietPortal()
    await portal.change(rex, { subState: 'not_activated', createdAt: days(0), graceFrom: days(-10) })
    expect(await portal.advance('P3D', 'subscription_reminder')).toEqual([])
    expect(await portal.advance('P2D', 'subscription_reminder')).toHaveLength(1)
  })

  test('without days of grace there is none', async () => {
    await using portal = await startQuietPortal(null)
    await portal.change(misty, { subState: 'active', subEndDate: days(0.5) })
    expect(await portal.advance('P60D', 'subscription_reminder')).toEqual([])
    const [ended] = await portal.mails('subscription_ended')
    expect(renderMail(ended!, portal.world).text).not.toContain('still shown')
  })
})
