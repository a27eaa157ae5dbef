import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { FiringKind } from '#contracts/firings.ts'
import { users } from '#db/schema/accounts.ts'
import { channels, pushBrowsers } from '#db/schema/messages.ts'
import { heldAlerts } from '#db/schema/places.ts'
import { signInAs } from '#server/accounts/sessions/sign-in.ts'
import { publishAlert, publishLowBattery } from '#server/alerts/publish-alerts.ts'
import { startJobsPortal } from '#server/jobs/test-jobs.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'

type Portal = Awaited<ReturnType<typeof startJobsPortal>>

const ALICE = 'alice@example.com'
const ADMIN = 'admin@pro.example.com'
const MEMBER = 'member@pro.example.com'
const PATH = '/alert_silences/'
const { rex, misty, proVan, familyCar } = SEED.devices
const { home, office } = SEED.places
const soon = { hours: 2 }

/** A portal where these users have a webhook and a browser each. */
async function start(...people: string[]) {
  const portal = await startJobsPortal()
  const { db } = portal.world
  const sessions = new Map<string, string>()
  for (const email of people) sessions.set(email, sha256(await signInAs(portal.world, email)))
  await db.write('everything', async (tx) => {
    for (const [email, session] of sessions) {
      const [user] = await tx.select().from(users).where(eq(users.email, email))
      const [userId, createdAt] = [user!.id, new Date('2026-03-02T08:00:00Z')]
      const target = `https://hooks.example.com/${email}`
      await tx.insert(channels).values({ userId, kind: 'webhook', label: 'Hook', target, createdAt, verifiedAt: createdAt })
      const endpoint = `https://push.example.net/${email}`
      await tx.insert(pushBrowsers).values({ userId, session, endpoint, p256dh: 'p', auth: 'a', createdAt })
    }
  })
  return portal
}

/** Silences alerts as a user; the request has to succeed. */
async function silence({ call }: Portal, who: string, body: object) {
  const response = await call(who, 'POST', PATH, body)
  expect(response).toMatchObject({ status: 201 })
  return response.body.id as number
}

/** Lets an alert fire and lists whom it reaches: addresses mailed, and users with a notification or a request to a webhook. */
async function fire(
  portal: Portal,
  kind: FiringKind,
  deviceId: number = rex,
  place: { id: number; name: string } = { id: home, name: 'Home' },
) {
  const { db, clock } = portal.world
  const before = await count(portal)
  const device = await portal.device(deviceId)
  const now = clock.now()
  const about = kind === 'vehicle_alert' ? null : place
  await db.write('everything', (tx) =>
    kind === 'low_battery'
      ? publishLowBattery(tx, device, now)
      : publishAlert(tx, { device, kind, at: now, place: about, rule: null, fix: null, address: null }, [SEED.alerts.enterHome], now),
  )
  const after = await count(portal)
  return {
    mailed: after.mails.slice(before.mails.length).map(({ to }) => to),
    pushed: after.pushes.slice(before.pushes.length).length,
    hooked: after.hooks.slice(before.hooks.length).length,
  }
}

const count = async ({ world: { db } }: Portal) => ({
  mails: await db.read.query.emails.findMany({ orderBy: (mail, { asc }) => asc(mail.id) }),
  pushes: await db.read.query.pushes.findMany(),
  hooks: await db.read.query.channelDeliveries.findMany(),
})

const NOBODY = { mailed: [], pushed: 0, hooked: 0 }
const BOB = 'bob@example.net'

describe('a silence for everyone', () => {
  test('silences the mails to contacts, the notifications and the channels of its tracker, until its end', async () => {
    await using portal = await start(ALICE)
    await silence(portal, ALICE, { ...soon, devices: [rex], everyone: true })
    expect(await fire(portal, 'place_enter')).toEqual(NOBODY)
    expect(await fire(portal, 'low_battery')).toEqual(NOBODY)
    expect(await fire(portal, 'place_enter', misty)).toEqual({ mailed: [BOB], pushed: 1, hooked: 1 })
    await portal.advance('PT1H59M59S')
    expect(await fire(portal, 'place_enter')).toEqual(NOBODY)
    await portal.advance('PT1S')
    expect(await fire(portal, 'place_enter')).toEqual({ mailed: [BOB], pushed: 1, hooked: 1 })
  })

  test('leaves the alert in the list of what fired, without mails, and in the live events', async () => {
    await using portal = await start(ALICE)
    await silence(portal, ALICE, { ...soon, everyone: true })
    await fire(portal, 'place_enter')
    const { body } = await portal.call(ALICE, 'GET', `/alert_firings/?device=${rex}`)
    expect(body.firings[0]).toMatchObject({ at: '2026-03-02T09:00:00Z', kind: 'place_enter', mails: 0 })
    const states = body.firings[0].notices.map(({ way, state, reason }: Record<string, string>) => `${way} ${state} ${reason}`)
    expect(states).toEqual(['email muted silenced', 'push muted silenced', 'webhook muted silenced'])
    expect(portal.told(rex, 'alert')).toMatchObject([{ type: 'place_enter' }])
  })

  test('holds only for its place and its kinds, if it has some', async () => {
    await using portal = await start(ALICE)
    await silence(portal, ALICE, { ...soon, place: home, kinds: ['place_enter', 'low_battery'], everyone: true })
    expect(await fire(portal, 'place_enter')).toEqual(NOBODY)
    expect((await fire(portal, 'place_leave')).mailed).toEqual([BOB])
    expect((await fire(portal, 'place_enter', rex, { id: office, name: 'Office' })).mailed).toEqual([BOB])
    expect((await fire(portal, 'low_battery')).mailed).toEqual([ALICE])
  })

  test('lets urgent alerts pass, unless it names their kind', async () => {
    await using portal = await start(ALICE)
    const id = await silence(portal, ALICE, { ...soon, everyone: true })
    expect((await fire(portal, 'vehicle_alert', familyCar)).mailed).toEqual([BOB])
    await portal.change(rex, { mode: 27 })
    expect((await fire(portal, 'place_enter')).mailed).toEqual([BOB])
    await portal.call(ALICE, 'DELETE', `${PATH}${id}/`)
    await silence(portal, ALICE, { ...soon, kinds: ['vehicle_alert', 'place_enter'], everyone: true })
    expect(await fire(portal, 'vehicle_alert', familyCar)).toEqual(NOBODY)
    expect(await fire(portal, 'place_enter')).toEqual(NOBODY)
  })

  test('of another account changes nothing', async () => {
    await using portal = await start(ALICE)
    await silence(portal, 'zoe@example.com', { ...soon, everyone: true })
    expect((await fire(portal, 'place_enter')).mailed).toEqual([BOB])
  })
})

describe("a user's own silence", () => {
  test('silences only the mails, notifications and channels of this user', async () => {
    await using portal = await start(ADMIN, MEMBER)
    const everybody = { mailed: [ADMIN], pushed: 2, hooked: 2 }
    expect(await fire(portal, 'low_battery', proVan)).toEqual(everybody)
    await silence(portal, MEMBER, { ...soon, devices: [proVan] })
    expect(await fire(portal, 'low_battery', proVan)).toEqual({ mailed: [ADMIN], pushed: 1, hooked: 1 })
    await silence(portal, ADMIN, soon)
    expect(await fire(portal, 'low_battery', proVan)).toEqual(NOBODY)
  })

  test('silences a mail of the account to an address of the user, and not one to a contact', async () => {
    await using portal = await start(ALICE)
    const { body: contact } = await portal.call(ALICE, 'POST', '/tracker_contacts/', { name: 'Alice', email: ALICE })
    await portal.call(ALICE, 'PATCH', `/tracker_alerts/${SEED.alerts.enterHome}/`, { contacts: [SEED.contacts.bob, contact.id] })
    expect((await fire(portal, 'place_enter')).mailed).toEqual([ALICE, BOB])
    await silence(portal, ALICE, soon)
    expect(await fire(portal, 'place_enter')).toEqual({ mailed: [BOB], pushed: 0, hooked: 0 })
  })

  test('keeps an alert of the quiet hours out of the mail at their end', async () => {
    await using portal = await start(ALICE)
    await portal.world.db.write('everything', (tx) => tx.update(users).set({ timeZone: null }).where(eq(users.email, ALICE)))
    await portal.call(ALICE, 'PUT', '/users/quiet_hours/', { quiet: { from: '08:00', to: '12:00' } })
    await silence(portal, ALICE, { ...soon, devices: [rex] })
    expect(await fire(portal, 'low_battery')).toEqual(NOBODY)
    expect(await portal.world.db.read.select().from(heldAlerts)).toEqual([])
    await portal.advance('PT4H')
    expect(await portal.mails('held_alerts')).toEqual([])
  })
})

test('an ended silence is deleted at the next full hour', async () => {
  await using portal = await start()
  await silence(portal, ALICE, { until: '2026-03-02T09:30:00Z' })
  expect((await portal.call(ALICE, 'GET', PATH)).body).toHaveLength(1)
  await portal.advance('PT30M')
  expect((await portal.call(ALICE, 'GET', PATH)).body).toEqual([])
  expect(await portal.advance('PT30M', 'clean_up')).toMatchObject([{ ref: 'alert_silences' }])
  expect(await portal.world.db.read.query.alertSilences.findMany()).toEqual([])
})
