import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { FiringNotice } from '#contracts/firings.ts'
import { tokens, users } from '#db/schema/accounts.ts'
import { devices } from '#db/schema/devices.ts'
import { channels, emails } from '#db/schema/messages.ts'
import { contacts, mailStops } from '#db/schema/places.ts'
import { signInAs } from '#server/accounts/sessions/sign-in.ts'
import { publishLowBattery } from '#server/alerts/publish-alerts.ts'
import { cleanUp } from '#server/jobs/clean-up.ts'
import { runDue } from '#server/jobs/run-jobs.ts'
import { days, startJobsPortal } from '#server/jobs/test-jobs.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import type { PushResult } from '#server/ports/push.ts'
import { createPushDispatcher } from '#server/push/push-dispatch.ts'
import { letRexLeave } from './test-rex.ts'

type Portal = Awaited<ReturnType<typeof startJobsPortal>>

const ALICE = 'alice@example.com'
const keys = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}

const newest = async ({ call }: Portal, who = ALICE) => (await call(who, 'GET', '/alert_firings/')).body.firings[0]
const brief = ({ way, to, state, reason }: FiringNotice) => [way, to, state, reason].filter((part) => part !== null).join(' ')
const lines = async (portal: Portal, who = ALICE): Promise<string[]> => (await newest(portal, who)).notices.map(brief)
const change = (portal: Portal, values: Partial<typeof users.$inferInsert>, email = ALICE) =>
  portal.world.db.write('everything', (tx) => tx.update(users).set(values).where(eq(users.email, email)))

async function letBatteryRunLow(portal: Portal, device: number = SEED.devices.rex) {
  const row = await portal.device(device)
  await portal.world.db.write('everything', (tx) => publishLowBattery(tx, row, portal.world.clock.now()))
}

async function subscribe(portal: Portal, email = ALICE) {
  const authorization = `Bearer ${await signInAs(portal.world, email)}`
  const browser = { endpoint: `https://push.example.net/${email}`, keys }
  expect((await portal.call(null, 'PUT', '/users/push/', browser, { authorization })).status).toBe(200)
  await portal.world.db.write('everything', (tx) => tx.update(tokens).set({ agent: 'Firefox, Windows' }))
}

/** A channel of Alice that takes messages. */
async function addChannel({ world }: Portal, target = 'https://hooks.example.org/a') {
  const [owner] = await world.db.read.select().from(users).where(eq(users.email, ALICE))
  const at = world.clock.now()
  const channel = { userId: owner!.id, kind: 'webhook' as const, label: 'House', target, createdAt: at, verifiedAt: at }
  const [row] = await world.db.write('everything', (tx) => tx.insert(channels).values(channel).returning())
  return row!.id
}

test('a firing has the place of its position, and when it was published', async () => {
  await using portal = await startJobsPortal()
  const { lat, lng } = await letRexLeave(portal)
  expect(await newest(portal)).toMatchObject({
    kind: 'place_leave',
    at: '2026-03-02T09:05:00Z',
    published_at: '2026-03-02T09:10:00Z',
    lat: expect.closeTo(lat, 6),
    lng: expect.closeTo(lng, 6),
    precision: 10,
    address: expect.stringMatching(/\w/),
  })
})

test('a low battery has no place', async () => {
  await using portal = await startJobsPortal()
  await letBatteryRunLow(portal)
  expect(Object.keys(await newest(portal))).not.toContain('lat')
})

describe('who was notified of a firing', () => {
  test('a contact who unsubscribed is listed as muted, the others with their mails', async () => {
    await using portal = await startJobsPortal()
    const stop = { accountId: 1, email: 'carol@example.net', stoppedAt: portal.world.clock.now() }
    await portal.world.db.write('everything', (tx) => tx.insert(mailStops).values(stop))
    await letRexLeave(portal)
    expect(await lines(portal)).toEqual(['email bob@example.net sent', 'email carol@example.net muted unsubscribed'])
  })

  test('a contact who has not agreed yet is muted', async () => {
    await using portal = await startJobsPortal()
    const stop = { accountId: 1, email: 'carol@example.net', stoppedAt: portal.world.clock.now(), isAsked: true }
    await portal.world.db.write('everything', (tx) => tx.insert(mailStops).values(stop))
    await letRexLeave(portal)
    expect((await lines(portal))[1]).toBe('email carol@example.net muted not_agreed')
  })

  test('contacts of an account whose address is unconfirmed are muted', async () => {
    await using portal = await startJobsPortal()
    await change(portal, { emailConfirmed: false })
    await letRexLeave(portal)
    expect(await lines(portal)).toEqual(['email bob@example.net muted unconfirmed', 'email carol@example.net muted unconfirmed'])
  })

  test('contacts beyond the 500 mails of a day are listed with the limit', async () => {
    await using portal = await startJobsPortal()
    const { id } = (await portal.world.db.read.select().from(users).where(eq(users.email, ALICE)))[0]!
    const mail = { to: 'x@example.org', template: 'place_alert', language: 'en' as const, data: {}, userId: id, createdAt: days(0) }
    await portal.world.db.write('everything', (tx) => tx.insert(emails).values(Array.from({ length: 499 }, () => mail)))
    await letRexLeave(portal)
    expect(await lines(portal)).toEqual(['email bob@example.net sent', 'email carol@example.net limit daily_limit'])
  })

  test('a mail held for the morning is listed as held, then with the mail that lists it', async () => {
    await using portal = await startJobsPortal()
    await change(portal, { quietFrom: '08:00', quietTo: '12:00', timeZone: null })
    await letBatteryRunLow(portal)
    expect((await newest(portal)).notices).toEqual([
      { way: 'email', to: ALICE, state: 'held', at: '2026-03-02T12:00:00Z', reason: 'quiet_hours' },
    ])
    await portal.world.db.write('everything', (tx) => tx.update(devices).set({ identifier: null }))
    await portal.advance('PT4H')
    expect((await newest(portal)).notices).toEqual([{ way: 'email', to: ALICE, state: 'sent', at: '2026-03-02T12:00:00Z', reason: null }])
  })

  test('a browser is muted in quiet hours, and a webhook gets its message at once', async () => {
    await using portal = await startJobsPortal()
    await subscribe(portal)
    await addChannel(portal)
    await change(portal, { quietFrom: '08:00', quietTo: '12:00', timeZone: null })
    await letBatteryRunLow(portal)
    await expect
      .poll(async () => (await lines(portal)).slice(1))
      .toEqual(['push Firefox, Windows muted quiet_hours', 'webhook House delivered'])
  })

  test('a position that arrives more than an hour late sends no notices', async () => {
    await using portal = await startJobsPortal()
    await letRexLeave(portal, { now: '11:00' })
    expect(await newest(portal)).toMatchObject({ at: '2026-03-02T09:05:00Z', published_at: '2026-03-02T11:00:00Z', notices: [] })
  })

  test.each<[PushResult, string]>([
    ['sent', 'push Firefox, Windows sent'],
    ['gone', 'push Firefox, Windows failed gone'],
    ['refused', 'push Firefox, Windows failed refused'],
    ['failed', 'push Firefox, Windows waiting'],
  ])('the line of a browser shows that the push service answered %s', async (result, line) => {
    await using portal = await startJobsPortal()
    portal.world.keepsMails = false
    await subscribe(portal)
    await letBatteryRunLow(portal)
    await createPushDispatcher({ ...portal.world, push: { ...portal.world.push!, send: async () => result } }).run()
    expect((await lines(portal))[1]).toBe(line)
  })

  test('a mail that was given up is a failure of the mail server', async () => {
    await using portal = await startJobsPortal()
    portal.world.keepsMails = false
    await letBatteryRunLow(portal)
    expect(await lines(portal)).toEqual([`email ${ALICE} waiting`])
    const failure = { reason: 'EENVELOPE', host: 'mx.example.com', message: '550' }
    await portal.world.db.write('everything', (tx) => tx.update(emails).set({ givenUpAt: days(1), failure }))
    expect(await lines(portal)).toEqual([`email ${ALICE} failed mail_server`])
  })

  test.each([
    [{ status: 200 }, 'delivered', undefined],
    [{ status: 410 }, 'failed', 410],
    [{ status: 503 }, 'waiting', 503],
  ])('the line of a channel shows the answer of its receiver: %j', async (answer, state, status) => {
    await using portal = await startJobsPortal()
    await addChannel(portal)
    expect((await portal.call(null, 'PUT', '/mock/hooks/answer', answer)).status).toBeLessThan(300)
    await letBatteryRunLow(portal)
    await portal.world.receivers!.wake!()
    const found = async () => (await newest(portal)).notices[1]
    await expect.poll(found).toMatchObject({ way: 'webhook', to: 'House', state, ...(status && { status }) })
  })

  test('what became of a delivery is unknown once its channel was removed', async () => {
    await using portal = await startJobsPortal()
    const id = await addChannel(portal)
    await letBatteryRunLow(portal)
    await portal.world.db.write('everything', (tx) => tx.delete(channels).where(eq(channels.id, id)))
    expect((await lines(portal))[1]).toBe('webhook House unknown removed')
  })
})

describe('what of the recipients is shown', () => {
  test('members of a team and support see shortened addresses', async () => {
    await using portal = await startJobsPortal()
    const van = await portal.device(SEED.devices.proVan)
    await portal.world.db.write('everything', (tx) => publishLowBattery(tx, van, portal.world.clock.now()))
    expect(await lines(portal, 'admin@pro.example.com')).toEqual(['email admin@pro.example.com sent'])
    expect(await lines(portal, 'member@pro.example.com')).toEqual(['email a…@pro.example.com sent'])
    expect(await lines(portal, 'support@example.com')).toEqual(['email a…@pro.example.com sent'])
  })

  test('a removed contact stays in the lines of what was sent', async () => {
    await using portal = await startJobsPortal()
    await letRexLeave(portal)
    await portal.world.db.write('everything', (tx) => tx.delete(contacts))
    expect(await lines(portal)).toEqual(['email bob@example.net sent', 'email carol@example.net sent'])
  })
})

test('the states outlive the mails, with shortened addresses', async () => {
  await using portal = await startJobsPortal()
  await letRexLeave(portal)
  await portal.world.db.write('everything', (tx) => tx.update(emails).set({ sentAt: days(0) }))
  await runDue(portal.world, days(84), { jobs: [cleanUp] })
  expect(await lines(portal)).toEqual(['email bob@example.net sent', 'email carol@example.net sent'])
  await runDue(portal.world, days(89), { jobs: [cleanUp] })
  await portal.world.db.write('everything', (tx) => tx.delete(emails))
  expect(await lines(portal)).toEqual(['email b…@example.net sent', 'email c…@example.net sent'])
})

test('the place of a firing is removed together with the positions of that time', async () => {
  await using portal = await startJobsPortal()
  await letRexLeave(portal)
  await portal.call(ALICE, 'PUT', '/users/retention/', { days: 30 })
  await portal.world.db.write('everything', (tx) => tx.update(devices).set({ identifier: null }))
  await portal.advance('P29D')
  const find = async () =>
    (await portal.call(ALICE, 'GET', `/alert_firings/?device=${SEED.devices.rex}`)).body.firings.find(
      ({ at }: { at: string }) => at === '2026-03-02T09:05:00Z',
    )
  expect(await find()).toHaveProperty('lat')
  await portal.advance('P3D')
  const left = await find()
  expect([left.place_name, left.lat, left.address, left.notices.length]).toEqual(['Home', undefined, undefined, 2])
})
