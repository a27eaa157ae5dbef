import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { users } from '#db/schema/accounts.ts'
import { alertFirings } from '#db/schema/places.ts'
import { startJobsPortal } from '#server/jobs/test-jobs.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'

type Portal = Awaited<ReturnType<typeof startJobsPortal>>
type Firing = typeof alertFirings.$inferInsert

const ALICE = 'alice@example.com'
const ADMIN = 'admin@pro.example.com'
const MEMBER = 'member@pro.example.com'
const { rex, misty, proVan, proDog } = SEED.devices

/** Alerts of a tracker that the server has just published, one per hour. */
async function fire(portal: Portal, deviceId: number, count: number, values: Partial<Firing> = {}) {
  const { accountId } = await portal.device(deviceId)
  const now = portal.world.clock.now()
  const rows = Array.from({ length: count }, (_, nth): Firing => {
    const at = new Date(now.getTime() - nth * 3_600_000)
    return { accountId, deviceId, kind: 'vehicle_alert', at, publishedAt: now, mails: 0, notices: [], ...values }
  })
  const added = await portal.world.db.write('everything', (tx) => tx.insert(alertFirings).values(rows).returning({ id: alertFirings.id }))
  return added.map(({ id }) => id)
}

const list = async ({ call }: Portal, query = '', who = ALICE) => (await call(who, 'GET', `/alert_firings/${query}`)).body.firings
const ids = async (portal: Portal, query = '', who = ALICE) => (await list(portal, query, who)).map(({ id }: { id: number }) => id)
const unread = async ({ call }: Portal, who = ALICE) => (await call(who, 'GET', '/options/')).body.unread_alerts ?? 0
const change = ({ call }: Portal, id: number, body: object, who = ALICE) => call(who, 'PATCH', `/alert_firings/${id}/`, body)
const see = async ({ call }: Portal, upTo: number, who = ALICE) => (await call(who, 'POST', '/alert_firings/seen/', { up_to: upTo })).body

describe('unread alerts', () => {
  test('alerts of before these marks existed count as seen, new ones do not', async () => {
    await using portal = await startJobsPortal()
    expect(await unread(portal)).toBe(0)
    await fire(portal, rex, 2)
    expect(await unread(portal)).toBe(2)
    expect((await list(portal, '?unread=true')).map(({ seen }: { seen: boolean }) => seen)).toEqual([false, false])
    expect((await list(portal)).filter(({ seen }: { seen: boolean }) => seen)).toHaveLength(7)
  })

  test('one alert is marked as seen, and as not seen again', async () => {
    await using portal = await startJobsPortal()
    const [first, second] = await fire(portal, rex, 2)
    expect((await change(portal, first!, { seen: true })).body).toMatchObject({ id: first, seen: true })
    expect(await ids(portal, '?unread=true')).toEqual([second])
    expect((await change(portal, first!, { seen: false })).body.seen).toBe(false)
    expect(await unread(portal)).toBe(2)
  })

  test('all up to one are marked as seen, whatever they were before', async () => {
    await using portal = await startJobsPortal()
    const [first, second, third] = await fire(portal, rex, 3)
    await change(portal, first!, { seen: false })
    expect(await see(portal, second!)).toEqual({ unread: 1 })
    expect(await ids(portal, '?unread=true')).toEqual([third])
    await change(portal, first!, { seen: false })
    expect(await unread(portal)).toBe(2)
    expect(await see(portal, third!)).toEqual({ unread: 0 })
  })

  test('an alert of an old position that arrives after everything was seen is unread', async () => {
    await using portal = await startJobsPortal()
    const [newest] = await fire(portal, rex, 1)
    await see(portal, newest!)
    const [late] = await fire(portal, rex, 1, { at: new Date('2026-02-28T09:00:00Z') })
    expect(await ids(portal, '?unread=true')).toEqual([late])
  })

  test('a number that no alert has yet does not hide later alerts', async () => {
    await using portal = await startJobsPortal()
    await see(portal, 1_000_000)
    await fire(portal, rex, 1)
    expect(await unread(portal)).toBe(1)
  })

  test('more than 100 unread alerts are counted as 100', async () => {
    await using portal = await startJobsPortal()
    await fire(portal, rex, 130)
    expect(await unread(portal)).toBe(100)
  })

  test('each user of a team has their own marks, for the trackers of their list', async () => {
    await using portal = await startJobsPortal()
    const [van] = await fire(portal, proVan, 1)
    const [dog] = await fire(portal, proDog, 1)
    expect([await unread(portal, ADMIN), await unread(portal, MEMBER)]).toEqual([2, 1])
    await see(portal, dog!, ADMIN)
    expect([await unread(portal, ADMIN), await unread(portal, MEMBER)]).toEqual([0, 1])
    expect((await change(portal, dog!, { seen: true }, MEMBER)).status).toBe(404)
    expect((await change(portal, van!, { seen: true }, MEMBER)).status).toBe(200)
    expect(await unread(portal, MEMBER)).toBe(0)
  })

  test('a new user of a team has not missed what fired before', async () => {
    await using portal = await startJobsPortal()
    await fire(portal, proVan, 1)
    await portal.world.db.write('everything', (tx) =>
      tx
        .update(users)
        .set({ createdAt: new Date('2026-03-02T09:30:00Z') })
        .where(eq(users.email, MEMBER)),
    )
    expect(await unread(portal, MEMBER)).toBe(0)
  })

  test('support reads alerts without marks and cannot change them', async () => {
    await using portal = await startJobsPortal()
    const [id] = await fire(portal, rex, 1)
    const support = 'support@example.com'
    expect(await unread(portal, support)).toBe(0)
    const { status, body } = await portal.call(support, 'GET', `/alert_firings/${id}/`)
    expect([status, 'seen' in body]).toEqual([200, false])
    expect((await change(portal, id!, { seen: true }, support)).status).toBe(403)
  })
})

test('a false alarm is marked for the whole account, and the mark is undone', async () => {
  await using portal = await startJobsPortal()
  const [id] = await fire(portal, proVan, 1)
  expect((await change(portal, id!, { false_alarm: true }, MEMBER)).body.false_alarm).toBe(true)
  expect((await list(portal, '', ADMIN))[0]).toMatchObject({ id, false_alarm: true, seen: false })
  expect((await change(portal, id!, { false_alarm: false }, ADMIN)).body).not.toHaveProperty('false_alarm')
})

test('one alert is read by its number, only by those who may see its tracker', async () => {
  await using portal = await startJobsPortal()
  const [id] = await fire(portal, rex, 1)
  expect((await portal.call(ALICE, 'GET', `/alert_firings/${id}/`)).body).toMatchObject({ id, device_name: 'Rex', notices: [] })
  expect((await portal.call('zoe@example.com', 'GET', `/alert_firings/${id}/`)).status).toBe(404)
})

test('fired alerts are filtered by kind and by a period', async () => {
  await using portal = await startJobsPortal()
  const [at9, at8, at7] = await fire(portal, misty, 3, { kind: 'low_battery' })
  expect(await ids(portal, `?device=${misty}&kind=low_battery`)).toEqual([at9, at8, at7])
  expect(await ids(portal, `?device=${misty}&kind=place_enter`)).toHaveLength(1)
  const period = 'from=2026-03-02T07:00:00Z&to=2026-03-02T09:00:00Z'
  expect(await ids(portal, `?device=${misty}&${period}`)).toEqual([at8, at7])
  expect((await portal.call(ALICE, 'GET', '/alert_firings/?kind=thunder')).status).toBe(400)
})
