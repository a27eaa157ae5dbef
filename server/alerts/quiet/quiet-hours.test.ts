import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { users } from '#db/schema/accounts.ts'
import { devices } from '#db/schema/devices.ts'
import { mailStops } from '#db/schema/places.ts'
import { startJobsPortal } from '#server/jobs/test-jobs.ts'
import { renderMail } from '#server/mail/mail-render.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { DEVICE_KEY } from '#server/mock/seed/records/seed-secrets.ts'
import { holdForQuietHours } from './hold-alerts.ts'

type Portal = Awaited<ReturnType<typeof startJobsPortal>>

const ALICE = 'alice@example.com'
const PATH = '/users/quiet_hours/'
const night = { from: '22:00', to: '07:00' }

const daily = { ...night, days: [1, 2, 3, 4, 5, 6, 7] }
const weekend = { from: '00:00', to: '00:00', days: [6, 7] }

const setQuiet = ({ call }: Portal, quiet: object | null, who = ALICE) => call(who, 'PUT', PATH, { quiet })
const setSpans = ({ call }: Portal, spans: object[]) => call(ALICE, 'PUT', PATH, { spans })
const read = async ({ call }: Portal, who = ALICE) => (await call(who, 'GET', PATH)).body
const addresses = async ({ mails }: Portal, template: string, since: number) => (await mails(template)).slice(since).map(({ to }) => to)

/** Rex reports twice at this hour and the one after that it is far from home. */
async function letRexLeave(portal: Portal, hour: string, away = 0.02) {
  portal.world.clock.set({ at: new Date(`2026-03-02T${hour}:10:00Z`) })
  const { body } = await portal.call(ALICE, 'GET', '/tracker_places/')
  const { lat, lng } = body.find(({ id }: { id: number }) => id === SEED.places.home)
  const positions = ['05', '10'].map((minute) => ({ lat: lat + away, lng, precision: 10, datetime: `2026-03-02T${hour}:${minute}:00Z` }))
  const sent = await portal.call(null, 'POST', '/devices/ingest/', { identifier: '1000000001', positions }, { 'x-device-key': DEVICE_KEY })
  expect(sent.status).toBe(201)
}

describe('setting quiet hours', () => {
  test('a user sets quiet hours in the time zone of the settings and ends them', async () => {
    await using portal = await startJobsPortal()
    const { time_zone } = (await portal.call(ALICE, 'GET', '/users/settings/')).body
    expect(await read(portal)).toEqual({ quiet: null, spans: [], time_zone, waiting: 0 })
    expect((await setQuiet(portal, night)).body).toEqual({ quiet: night, spans: [daily], time_zone, waiting: 0 })
    expect(await read(portal, 'zoe@example.com')).toMatchObject({ quiet: null })
    expect((await setQuiet(portal, null)).body).toMatchObject({ quiet: null })
  })

  test.each([
    [{ from: '22:00', to: '22:00' }, 'quiet.to'],
    [{ from: '24:00', to: '07:00' }, 'quiet.from'],
    [{ from: '22:00', to: '7:00' }, 'quiet.to'],
  ])('invalid quiet hours are refused: %j', async (quiet, field) => {
    await using portal = await startJobsPortal()
    const { status, body } = await setQuiet(portal, quiet)
    expect([status, Object.keys(body.errors)]).toEqual([400, [field]])
  })
})

describe('spans of quiet hours', () => {
  test('a user sets several spans, of which `quiet` is the first that is for every day', async () => {
    await using portal = await startJobsPortal()
    const late = { from: '23:00', to: '08:00', days: [1, 2, 3, 4, 5, 6, 7] }
    const saved = await setSpans(portal, [{ ...weekend, days: [7, 6, 7] }, daily, late])
    expect(saved.body).toMatchObject({ quiet: night, spans: [weekend, daily, late] })
    expect((await setSpans(portal, [weekend])).body).toMatchObject({ quiet: null, spans: [weekend] })
    expect((await setSpans(portal, [])).body).toMatchObject({ quiet: null, spans: [] })
  })

  test('a client that knows only one daily period replaces all spans by it', async () => {
    await using portal = await startJobsPortal()
    await setSpans(portal, [weekend, { ...weekend, days: [3] }])
    expect((await setQuiet(portal, night)).body).toMatchObject({ quiet: night, spans: [daily] })
    await setSpans(portal, [weekend])
    expect((await setQuiet(portal, null)).body).toMatchObject({ quiet: null, spans: [] })
  })

  test.each([
    [{ spans: [{ ...weekend, days: [] }] }, 'spans.0.days'],
    [{ spans: [weekend, { ...weekend, days: [8] }] }, 'spans.1.days.0'],
    [{ spans: [{ ...weekend, to: '7:00' }] }, 'spans.0.to'],
    [{ spans: [{ ...daily, from: 'noon' }] }, 'spans.0.from'],
    [{ spans: [{ ...daily, to: daily.from }] }, 'spans'],
    [{ spans: Array(21).fill(weekend) }, 'spans'],
    [{ spans: [weekend], quiet: night }, 'quiet'],
    [{}, 'quiet'],
  ])('invalid spans are refused: %j', async (sent, field) => {
    await using portal = await startJobsPortal()
    const { status, body } = await portal.call(ALICE, 'PUT', PATH, sent)
    expect([status, Object.keys(body.errors)]).toEqual([400, [field]])
  })
})

describe('alerts in quiet hours', () => {
  let before = 0
  const start = async () => {
    const portal = await startJobsPortal()
    await portal.world.db.write('everything', (tx) => tx.update(users).set({ timeZone: null }).where(eq(users.email, ALICE)))
    const { body: contact } = await portal.call(ALICE, 'POST', '/tracker_contacts/', { name: 'Alice', email: ALICE })
    await portal.call(ALICE, 'PATCH', `/tracker_alerts/${SEED.alerts.leaveHome}/`, { contacts: [SEED.contacts.bob, contact.id] })
    before = (await portal.mails('place_alert')).length
    return portal
  }

  test('an alert is held back for its owner until the quiet hours end, while other contacts get it at once', async () => {
    await using portal = await start()
    await setQuiet(portal, { from: '08:00', to: '12:30' })
    await letRexLeave(portal, '09')
    const others = await addresses(portal, 'place_alert', before)
    expect(others).toHaveLength(1)
    expect(others).not.toContain(ALICE)
    expect(await read(portal)).toMatchObject({ waiting: 1 })
    expect(await portal.advance('PT3H19M', 'quiet_end')).toEqual([])
    expect(await portal.advance('PT2M', 'quiet_end')).toMatchObject([{ at: '2026-03-02T12:30:00Z' }])
    const [mail, ...more] = await portal.mails('held_alerts')
    expect([mail!.to, more, (await read(portal)).waiting]).toEqual([ALICE, [], 0])
    const { subject, text, links, stopUrl } = renderMail(mail!, portal.world)
    expect(subject).toBe('1 alert from your quiet hours')
    expect(text).toContain('2 March at 09:05: Rex left Home')
    expect([links, stopUrl]).toEqual([['http://portal.test/alerts/fired'], expect.stringContaining('http://portal.test/mail/')])
  })

  test('several held alerts are sent as one mail', async () => {
    await using portal = await start()
    await setQuiet(portal, { from: '08:00', to: '12:30' })
    await letRexLeave(portal, '09')
    await letRexLeave(portal, '10', 0)
    await letRexLeave(portal, '11')
    const { waiting } = await read(portal)
    expect(waiting).toBeGreaterThan(1)
    await portal.advance('PT2H')
    const [mail] = await portal.mails('held_alerts')
    expect(renderMail(mail!, portal.world).subject).toBe(`${waiting} alerts from your quiet hours`)
  })

  test('an alert outside of the quiet hours is mailed at once', async () => {
    await using portal = await start()
    await setQuiet(portal, night)
    await letRexLeave(portal, '09')
    expect(await addresses(portal, 'place_alert', before)).toContain(ALICE)
  })

  test('an alert of a tracker in lost mode is not held back', async () => {
    await using portal = await start()
    await setQuiet(portal, { from: '08:00', to: '12:30' })
    await portal.world.db.write('everything', (tx) => tx.update(devices).set({ mode: 27 }).where(eq(devices.id, SEED.devices.rex)))
    await letRexLeave(portal, '09')
    expect(await addresses(portal, 'place_alert', before)).toContain(ALICE)
    expect(await read(portal)).toMatchObject({ waiting: 0 })
  })

  test('the alert of a moving vehicle is not held back', async () => {
    await using portal = await start()
    await setQuiet(portal, { from: '08:00', to: '12:30' })
    const device = await portal.device(SEED.devices.familyCar)
    const now = new Date('2026-03-02T09:10:00Z')
    const hold = (kind: 'vehicle_alert' | 'low_battery') =>
      portal.world.db.write(
        'everything',
        async (tx) => (await holdForQuietHours(tx, [ALICE], { device, kind, at: now, place: null, rule: null }, now)).atOnce,
      )
    expect([await hold('vehicle_alert'), await hold('low_battery')]).toEqual([[ALICE], []])
  })

  test('an alert is held until the last of the spans that touch each other ends', async () => {
    await using portal = await start()
    await setSpans(portal, [
      { days: [1], from: '08:00', to: '10:00' },
      { days: [1, 2], from: '10:00', to: '11:30' },
      { days: [2], from: '08:00', to: '20:00' },
    ])
    await letRexLeave(portal, '09')
    expect(await portal.advance('PT2H19M', 'quiet_end')).toEqual([])
    expect(await portal.advance('PT2M', 'quiet_end')).toMatchObject([{ at: '2026-03-02T11:30:00Z' }])
  })

  test('held alerts are mailed at once when the user ends the quiet hours', async () => {
    await using portal = await start()
    await setQuiet(portal, { from: '08:00', to: '20:00' })
    await letRexLeave(portal, '09')
    await setQuiet(portal, null)
    await portal.advance('PT1S')
    expect(await portal.mails('held_alerts')).toHaveLength(1)
  })

  test('held alerts are not mailed to an address that has unsubscribed meanwhile', async () => {
    await using portal = await start()
    await setQuiet(portal, { from: '08:00', to: '12:30' })
    await letRexLeave(portal, '09')
    const { accountId } = await portal.device(SEED.devices.rex)
    const stop = { accountId, email: ALICE, stoppedAt: new Date('2026-03-02T10:00:00Z') }
    await portal.world.db.write('everything', (tx) => tx.insert(mailStops).values(stop))
    await portal.advance('PT4H')
    expect(await portal.mails('held_alerts')).toEqual([])
  })

  test('quiet hours of an unconfirmed address hold back no alerts of other accounts', async () => {
    await using portal = await start()
    const quiet = { emailConfirmed: false, timeZone: null, quietFrom: '08:00', quietTo: '12:30' }
    await portal.world.db.write('everything', (tx) => tx.update(users).set(quiet).where(eq(users.email, 'zoe@example.com')))
    const device = await portal.device(SEED.devices.rex)
    const now = new Date('2026-03-02T09:10:00Z')
    const alert = { device, kind: 'low_battery', at: now, place: null, rule: null } as const
    const hold = () =>
      portal.world.db.write('everything', async (tx) => (await holdForQuietHours(tx, ['zoe@example.com'], alert, now)).atOnce)
    expect(await hold()).toEqual(['zoe@example.com'])
    await portal.world.db.write('everything', (tx) =>
      tx.update(users).set({ emailConfirmed: true }).where(eq(users.email, 'zoe@example.com')),
    )
    expect(await hold()).toEqual([])
  })
})
