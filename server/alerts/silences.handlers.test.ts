import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { teamDevices } from '#db/schema/accounts.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const ADMIN = 'admin@pro.example.com'
const MEMBER = 'member@pro.example.com'
const PATH = '/alert_silences/'
const { rex, misty, proVan, proDog, george } = SEED.devices
const hours = 1

const add = (portal: Portal, body: object, who = ALICE) => portal.call(who, 'POST', PATH, body)
const list = async (portal: Portal, who = ALICE) => (await portal.call(who, 'GET', PATH)).body
const end = async (portal: Portal, id: number, who = ALICE) => (await portal.call(who, 'DELETE', `${PATH}${id}/`)).status

describe('making a silence', () => {
  test('a silence has an end, and may have trackers, a place, kinds and a note', async () => {
    await using portal = await startPortal()
    const { status, body } = await add(portal, {
      until: '2026-03-08T20:00:00Z',
      devices: [misty, rex, rex],
      place: SEED.places.home,
      kinds: ['place_leave'],
      note: 'Builders in the garden',
      everyone: true,
    })
    const expected = {
      id: expect.any(Number),
      devices: [rex, misty],
      place: SEED.places.home,
      kinds: ['place_leave'],
      created_at: '2026-03-02T09:00:00Z',
      until: '2026-03-08T20:00:00Z',
      note: 'Builders in the garden',
      everyone: true,
    }
    expect([status, body]).toEqual([201, expected])
    const bare = (await add(portal, { hours })).body
    expect(bare).toMatchObject({ devices: [], place: null, kinds: [], until: '2026-03-02T10:00:00Z', note: null, everyone: false })
    expect(await list(portal)).toEqual([bare, body])
  })

  test.each([
    [{}, 'until'],
    [{ hours, until: '2026-03-08T20:00:00Z' }, 'until'],
    [{ until: '2026-03-02T09:00:00Z' }, 'until'],
    [{ until: '2027-03-04T09:00:00Z' }, 'until'],
    [{ hours: 0 }, 'hours'],
    [{ hours, devices: [rex, george] }, 'devices'],
    [{ hours, place: SEED.places.zoeHome }, 'place'],
    [{ hours, kinds: ['boost_end'] }, 'kinds.0'],
  ])('a silence is refused with the wrong field: %j', async (body, field) => {
    await using portal = await startPortal()
    const response = await add(portal, body)
    expect([response.status, Object.keys(response.body.errors)]).toEqual([400, [field]])
  })

  test('a user has at most 50 running silences, and the account as many for everyone', async () => {
    await using portal = await startPortal()
    for (let n = 0; n < 50; n++) expect((await add(portal, { hours })).status).toBe(201)
    expect((await add(portal, { hours })).body).toMatchObject({ code: 'limit_reached', of: 'silences', limit: 50 })
    expect((await add(portal, { hours, everyone: true })).status).toBe(201)
    portal.world.clock.set({ at: new Date('2026-03-02T10:00:00Z') })
    expect((await add(portal, { hours })).status).toBe(201)
  })
})

describe('who sees and ends a silence', () => {
  test("a user sees the account's silences and the own ones, and ends them", async () => {
    await using portal = await startPortal()
    const { id: own } = (await add(portal, { hours, devices: [proVan] }, MEMBER)).body
    const { id: all } = (await add(portal, { hours: 2, everyone: true }, ADMIN)).body
    expect((await list(portal, MEMBER)).map(({ id }: { id: number }) => id)).toEqual([own, all])
    expect((await list(portal, ADMIN)).map(({ id }: { id: number }) => id)).toEqual([all])
    expect(await list(portal)).toEqual([])
    expect([await end(portal, own, ADMIN), await end(portal, all), await end(portal, own, MEMBER)]).toEqual([404, 404, 200])
    expect([await end(portal, all, MEMBER), await end(portal, all, ADMIN), await end(portal, all, ADMIN)]).toEqual([403, 200, 404])
  })

  test("a team member silences for everyone only trackers of the team's list", async () => {
    await using portal = await startPortal()
    expect((await add(portal, { hours, everyone: true }, MEMBER)).body.errors).toHaveProperty('devices')
    expect((await add(portal, { hours, everyone: true, devices: [proDog] }, MEMBER)).body.errors).toHaveProperty('devices')
    expect((await add(portal, { hours, everyone: true, devices: [proVan] }, MEMBER)).status).toBe(201)
  })

  test("a team member sees only the trackers of the team's list in a silence, and ends it only for these", async () => {
    await using portal = await startPortal()
    const { id } = (await add(portal, { hours, everyone: true, devices: [proVan, proDog] }, ADMIN)).body
    await add(portal, { hours, everyone: true, devices: [proDog] }, ADMIN)
    expect(await list(portal, MEMBER)).toMatchObject([{ id, devices: [proVan] }])
    expect(await end(portal, id, MEMBER)).toBe(200)
    expect(await list(portal, MEMBER)).toEqual([])
    expect(await list(portal, ADMIN)).toMatchObject([{ id, devices: [proDog] }, { devices: [proDog] }])
  })

  test('support sees the silences of all accounts but makes and ends none', async () => {
    await using portal = await startPortal()
    const { id } = (await add(portal, { hours, devices: [rex] })).body
    const support = 'support@example.com'
    expect(await list(portal, support)).toMatchObject([{ id, devices: [rex] }])
    expect([(await add(portal, { hours }, support)).status, await end(portal, id, support)]).toEqual([403, 403])
  })

  test('a token for some trackers lists the silences about these only', async () => {
    await using portal = await startPortal()
    await add(portal, { hours, devices: [rex] })
    const { id } = (await add(portal, { hours, devices: [rex, misty] })).body
    const body = { label: 'Script', scopes: ['alerts:read'], devices: [misty] }
    const { token } = (await portal.call(ALICE, 'POST', '/users/tokens/', body)).body
    const response = await portal.call(null, 'GET', PATH, undefined, { authorization: `Bearer ${token}` })
    expect(response.body).toMatchObject([{ id, devices: [misty] }])
  })
})

describe('a silence without what it was about', () => {
  test('ends when its last tracker is removed, instead of silencing all', async () => {
    await using portal = await startPortal()
    await add(portal, { hours, devices: [misty] })
    await add(portal, { hours, devices: [rex, misty] })
    expect((await portal.call(ALICE, 'DELETE', `/devices/${misty}/`)).status).toBe(200)
    expect(await list(portal)).toMatchObject([{ devices: [rex] }])
    await add(portal, { hours })
    expect(await portal.world.db.read.query.alertSilences.findMany()).toHaveLength(2)
  })

  test('ends when its place is removed', async () => {
    await using portal = await startPortal()
    await add(portal, { hours, place: SEED.places.home })
    expect((await portal.call(ALICE, 'DELETE', `/tracker_places/${SEED.places.home}/`)).status).toBe(200)
    expect(await list(portal)).toEqual([])
  })

  test('is out of sight for a member whose list loses its tracker, and their own silence with it', async () => {
    await using portal = await startPortal()
    await add(portal, { hours, devices: [proVan] }, MEMBER)
    await portal.world.db.write('everything', (tx) => tx.delete(teamDevices).where(eq(teamDevices.deviceId, proVan)))
    expect(await list(portal, MEMBER)).toEqual([])
  })
})
