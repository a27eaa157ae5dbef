import { expect, test } from 'vitest'
import { alertFirings } from '#db/schema/places.ts'
import { letRexLeave } from '#server/alerts/notices/test-rex.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const { rex, misty, cityBike } = SEED.devices
const { home } = SEED.places

const list = async (portal: Portal, query = '', who = ALICE) => (await portal.call(who, 'GET', `/alert_firings/${query}`)).body.firings
const briefs = (firings: { kind: string; device_name: string }[]) => firings.map(({ kind, device_name }) => `${device_name} ${kind}`)

test('fired alerts are listed newest first, for one tracker or place if the query names it', async () => {
  await using portal = await startPortal()
  const all = await list(portal)
  expect(briefs(all)).toEqual([
    'Rex place_enter',
    'Rex place_leave',
    'Misty place_enter',
    'Family car vehicle_alert',
    'Grandpa unusual',
    'City bike low_battery',
    'City bike place_leave',
  ])
  expect(all[1]).toMatchObject({ at: '2026-03-01T17:00:00Z', device: rex, place: home, place_name: 'Home', mails: 2 })
  expect(briefs(await list(portal, `?device=${cityBike}`))).toEqual(['City bike low_battery', 'City bike place_leave'])
  expect(briefs(await list(portal, `?place=${home}&device=${misty}`))).toEqual(['Misty place_enter'])
})

test('a crossing that an alert watches is listed with the time of its position and the number of mails', async () => {
  await using portal = await startPortal()
  await letRexLeave(portal)
  const [newest, ...older] = await list(portal)
  expect(newest).toMatchObject({ kind: 'place_leave', device_name: 'Rex', place_name: 'Home', at: '2026-03-02T09:05:00Z', mails: 2 })
  expect(older).toHaveLength(7)
})

test('an alert that is off adds nothing to the list', async () => {
  await using portal = await startPortal()
  await portal.call(ALICE, 'PUT', `/tracker_alerts/${SEED.alerts.leaveHome}/switch/`, { on: false })
  await letRexLeave(portal)
  expect(await list(portal)).toHaveLength(7)
})

test('pages of 50 follow each other without a gap, even if firings have the same time', async () => {
  await using portal = await startPortal()
  const row = { accountId: 1, deviceId: misty, kind: 'place_enter' as const, at: new Date('2026-03-02T08:00:00Z'), mails: 0 }
  await portal.world.db.write('everything', (tx) => tx.insert(alertFirings).values(Array.from({ length: 120 }, () => row)))
  const ids: number[] = []
  let next: string | null = null
  let pages = 0
  do {
    const { body } = await portal.call(ALICE, 'GET', `/alert_firings/?device=${misty}${next ? `&before=${next}` : ''}`)
    ids.push(...body.firings.map(({ id }: { id: number }) => id))
    next = body.next
    pages++
  } while (next !== null)
  expect([pages, ids.length, new Set(ids).size]).toEqual([3, 121, 121])
})

test("R-6.9 alerts that fired for trackers outside the viewer's scope are not listed", async () => {
  await using portal = await startPortal()
  expect(await list(portal, '', 'zoe@example.com')).toEqual([])
  expect(await list(portal, `?device=${rex}`, 'zoe@example.com')).toEqual([])
  const { proVan, proDog } = SEED.devices
  const ofPro = { kind: 'place_enter' as const, at: new Date('2026-03-02T08:00:00Z'), mails: 0 }
  const accountId = (await portal.world.db.read.query.devices.findFirst({ where: (t, { eq }) => eq(t.id, proVan) }))!.accountId
  const rows = [proVan, proDog].map((deviceId) => ({ ...ofPro, accountId, deviceId }))
  await portal.world.db.write('everything', (tx) => tx.insert(alertFirings).values(rows))
  const seen = async (who: string) => (await list(portal, '', who)).map(({ device }: { device: number }) => device)
  expect(await seen('member@pro.example.com')).toEqual([proVan])
  expect(await seen('admin@pro.example.com')).toEqual([proDog, proVan])
  expect(await seen('support@example.com')).toHaveLength(9)
})

test('a fired alert outlives its place and is removed with its tracker', async () => {
  await using portal = await startPortal()
  await portal.call(ALICE, 'DELETE', `/tracker_places/${home}/`)
  expect(await list(portal, `?device=${misty}`)).toMatchObject([{ place_name: 'Home' }])
  expect((await portal.call(ALICE, 'DELETE', `/devices/${misty}/`)).status).toBe(200)
  expect(await list(portal, `?device=${misty}`)).toEqual([])
})
