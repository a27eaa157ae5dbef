import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { FiringNotice } from '#contracts/firings.ts'
import { users } from '#db/schema/accounts.ts'
import { channelDeliveries, channels } from '#db/schema/messages.ts'
import { signInAs } from '#server/accounts/sessions/sign-in.ts'
import { publishLowBattery } from '#server/alerts/publish-alerts.ts'
import { startJobsPortal } from '#server/jobs/test-jobs.ts'
import { renderMail } from '#server/mail/mail-render.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'

const ALICE = 'alice@example.com'
const ZOE = 'zoe@example.com'
const { rex, misty } = SEED.devices
const PATH = '/users/channels/'

async function start() {
  const portal = await startJobsPortal()
  const authorization = `Bearer ${await signInAs(portal.world, ALICE)}`
  const send = (method: string, path: string, body?: object) => portal.call(null, method, `${PATH}${path}`, body, { authorization })
  /** A webhook of Alice that gets what `choice` says. */
  const connect = async (choice: object = {}, label = 'House') => {
    const made = await send('POST', '', { kind: 'webhook', label, url: 'https://hooks.example.org/rex', ...choice })
    if (made.status === 201)
      await portal.world.db.write('everything', (tx) =>
        tx.update(channels).set({ verifiedAt: portal.world.clock.now() }).where(eq(channels.id, made.body.id)),
      )
    return made
  }
  return { ...portal, send, connect, [Symbol.asyncDispose]: portal[Symbol.asyncDispose] }
}
type Portal = Awaited<ReturnType<typeof start>>

async function letBatteryRunLow(portal: Portal, device: number) {
  const row = await portal.device(device)
  await portal.world.db.write('everything', (tx) => publishLowBattery(tx, row, portal.world.clock.now()))
}

/** The lines of channels in the newest alert that fired for a tracker. */
async function listLines({ call }: Portal, device: number): Promise<string[]> {
  const [firing] = (await call(ALICE, 'GET', `/alert_firings/?device=${device}`)).body.firings
  const lines = (firing.notices as FiringNotice[]).filter(({ way }) => way === 'webhook')
  return lines.map(({ to, state, reason }) => [to, state, reason].filter(Boolean).join(' '))
}

/** The trackers of which an alert was queued for a channel. */
const listQueued = async ({ world }: Portal, id: number) => {
  const rows = await world.db.read.select().from(channelDeliveries).where(eq(channelDeliveries.channelId, id)).orderBy(channelDeliveries.id)
  return rows.flatMap(({ content }) => (content.type === 'alert' ? content.device.id : []))
}

describe('the alerts that a channel gets', () => {
  test('are those of the trackers that it names, and others have no line for it', async () => {
    await using portal = await start()
    const { body } = await portal.connect({ devices: [misty, rex, rex] })
    expect(body).toMatchObject({ devices: [rex, misty].sort((a, b) => a - b), kinds: null })
    await portal.send('PATCH', `${body.id}/`, { devices: [misty] })
    await letBatteryRunLow(portal, rex)
    await letBatteryRunLow(portal, misty)
    expect(await listQueued(portal, body.id)).toEqual([misty])
    expect([await listLines(portal, rex), (await listLines(portal, misty)).length]).toEqual([[], 1])
  })

  test('are those of the kinds that it names', async () => {
    await using portal = await start()
    const { body: other } = await portal.connect({ kinds: ['place_leave', 'vehicle_alert'] }, 'Garage')
    const { body: chosen } = await portal.connect({ kinds: ['low_battery', 'low_battery'] })
    expect(chosen).toMatchObject({ devices: null, kinds: ['low_battery'] })
    await letBatteryRunLow(portal, rex)
    expect([await listQueued(portal, other.id), await listQueued(portal, chosen.id)]).toEqual([[], [rex]])
  })

  test('are all again once the choice is given up, and a new name leaves the choice', async () => {
    await using portal = await start()
    const { body } = await portal.connect({ devices: [misty], kinds: ['place_leave'] })
    expect((await portal.send('PATCH', `${body.id}/`, { label: 'Attic' })).body).toMatchObject({ devices: [misty], kinds: ['place_leave'] })
    expect((await portal.send('PATCH', `${body.id}/`, { devices: null, kinds: null })).body).toMatchObject({ devices: null, kinds: null })
    await letBatteryRunLow(portal, rex)
    expect(await listQueued(portal, body.id)).toEqual([rex])
  })

  test('are none once all trackers that it names were removed', async () => {
    await using portal = await start()
    const { body } = await portal.connect({ devices: [misty] })
    expect((await portal.call(ALICE, 'DELETE', `/devices/${misty}/`)).status).toBeLessThan(300)
    const shown = (await portal.send('GET', '')).body.find(({ id }: { id: number }) => id === body.id)
    expect(shown).toMatchObject({ devices: [] })
    await letBatteryRunLow(portal, rex)
    expect(await listQueued(portal, body.id)).toEqual([])
  })

  test.each([
    [{ devices: [] }, 'devices'],
    [{ kinds: [] }, 'kinds'],
    [{ kinds: ['earthquake'] }, 'kinds.0'],
  ])('cannot be chosen with %j', async (choice, field) => {
    await using portal = await start()
    const { status, body } = await portal.connect(choice)
    expect([status, Object.keys(body.errors)]).toEqual([400, [field]])
  })

  test('cannot be those of a tracker of another account', async () => {
    await using portal = await start()
    const [foreign] = (await portal.call(ZOE, 'GET', '/devices/?type=tracker')).body
    const { status, body } = await portal.connect({ devices: [rex, foreign.id] })
    expect([status, Object.keys(body.errors)]).toEqual([400, ['devices']])
  })
})

describe('beyond 500 messages to channels in 24 hours', () => {
  async function startBeforeLimit() {
    const portal = await start()
    const { db, clock } = portal.world
    const { body } = await portal.connect()
    await portal.connect({}, 'Attic')
    const content = {
      type: 'alert',
      kind: 'back',
      device: { id: rex, name: 'Rex' },
      place: null,
      at: '',
      position: null,
      address: null,
    } as const
    const row = { channelId: body.id, type: 'alert' as const, content, isUrgent: false, createdAt: clock.now(), nextAttemptAt: clock.now() }
    const sent = Array.from({ length: 499 }, () => ({ ...row, attempts: 1, endedAt: clock.now() }))
    await db.write('everything', (tx) => tx.insert(channelDeliveries).values(sent))
    return portal
  }

  test('nothing more is queued, the alert says so, and one mail tells the owner', async () => {
    await using portal = await startBeforeLimit()
    await letBatteryRunLow(portal, rex)
    await letBatteryRunLow(portal, misty)
    expect([(await listLines(portal, rex))[1], await listLines(portal, misty)]).toEqual([
      'Attic limit daily_limit',
      ['House limit daily_limit', 'Attic limit daily_limit'],
    ])
    const [mail, ...more] = await portal.mails('channel_limit')
    expect([mail!.to, more]).toEqual([ALICE, []])
    expect(renderMail(mail!, portal.world)).toMatchObject({
      subject: 'Your channels reached the limit of alerts in 24 hours',
      text: expect.stringContaining('In the last 24 hours 500 alerts went to webhooks'),
    })
  })

  test('messages are queued again a day later', async () => {
    await using portal = await startBeforeLimit()
    await letBatteryRunLow(portal, rex)
    portal.world.clock.set({ at: new Date(portal.world.clock.now().getTime() + 86_400_000) })
    await letBatteryRunLow(portal, misty)
    expect((await listLines(portal, misty)).filter((line) => line.includes('limit'))).toEqual([])
  })

  test('other accounts are not affected', async () => {
    await using portal = await startBeforeLimit()
    const { db, clock } = portal.world
    const [foreign] = (await portal.call(ZOE, 'GET', '/devices/?type=tracker')).body
    await db.write('everything', async (tx) => {
      const [zoe] = await tx.select().from(users).where(eq(users.email, ZOE))
      const common = { userId: zoe!.id, createdAt: clock.now(), verifiedAt: clock.now() }
      await tx.insert(channels).values({ ...common, kind: 'webhook', label: 'Zoe', target: 'https://hooks.example.org/zoe' })
    })
    await letBatteryRunLow(portal, foreign.id)
    const [firing] = (await portal.call(ZOE, 'GET', '/alert_firings/')).body.firings
    expect(firing.notices.filter(({ state }: FiringNotice) => state === 'limit')).toEqual([])
  })
})
