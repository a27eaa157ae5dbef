import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { TeamUser } from '#contracts/accounts/team.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { tokens } from '#db/schema/accounts.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { createLiveStream } from '#server/live/live-stream.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const [ADMIN, MEMBER] = ['admin@pro.example.com', 'member@pro.example.com']
const { proVan, proTruck, proPlane, proBike, proDog, proCourier, rex } = SEED.devices
const MEMBER_ID = 14
const ask = (portal: Portal, method: string, path = '', body?: object) => portal.call(ADMIN, method, `/users/team/${path}`, body)
const listed = async (portal: Portal): Promise<TeamUser[]> => (await ask(portal, 'GET')).body
const seenBy = async (portal: Portal, email: string): Promise<number[]> =>
  (await portal.call(email, 'GET', '/devices/?type=tracker')).body.map(({ id }: Device) => id).sort()

describe('the team', () => {
  test('the team is listed by name, with all trackers for the administrator, assigned ones for members, and pending invitations', async () => {
    await using portal = await startPortal()
    const response = await ask(portal, 'GET')
    expect(response.status).toBe(200)
    expect(response.body).toEqual([
      {
        id: 13,
        email: ADMIN,
        first_name: 'Ada',
        last_name: 'Admin',
        role: 'admin',
        devices: [proVan, proTruck, proPlane, proBike, proDog, proCourier],
        status: 'active',
      },
      {
        id: SEED.users.invited,
        email: 'invited@pro.example.com',
        first_name: 'Ines',
        last_name: 'Invited',
        role: 'pro',
        devices: [],
        status: 'invited',
      },
      { id: MEMBER_ID, email: MEMBER, first_name: 'Marc', last_name: 'Membre', role: 'pro', devices: [proVan, proTruck], status: 'active' },
      {
        id: SEED.users.withoutDevices,
        email: 'newcomer@pro.example.com',
        first_name: 'Nora',
        last_name: 'Newcomer',
        role: 'pro',
        devices: [],
        status: 'active',
      },
    ])
  })

  test.each(['alice@example.com', MEMBER, 'support@example.com'])('R-6.5 %s may not use any team endpoint', async (email) => {
    await using portal = await startPortal()
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['PATCH', `${MEMBER_ID}/`],
      ['DELETE', `${MEMBER_ID}/`],
      ['POST', `${SEED.users.invited}/resend_invitation/`],
    ] as const)
      expect(await portal.call(email, method, `/users/team/${path}`)).toMatchObject({ status: 403, body: { code: 'permission_denied' } })
    expect((await portal.call(null, 'GET', '/users/team/')).status).toBe(401)
  })

  test.each([1, 15, 987_654_321])('R-6.9 user %i of another account is not found', async (id) => {
    await using portal = await startPortal()
    for (const [method, path] of [
      ['PATCH', `${id}/`],
      ['DELETE', `${id}/`],
      ['POST', `${id}/resend_invitation/`],
    ] as const)
      expect(await ask(portal, method, path, method === 'DELETE' ? undefined : {})).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      })
    expect((await portal.call('alice@example.com', 'GET', '/users/me/')).status).toBe(200)
  })
})

describe('changing a member', () => {
  const change = (portal: Portal, body: object, id: number = MEMBER_ID) => ask(portal, 'PATCH', `${id}/`, body)

  test('R-6.5 a change of a member affects only the given fields', async () => {
    await using portal = await startPortal()
    const before = (await listed(portal)).find(({ id }) => id === MEMBER_ID)
    expect(await change(portal, { first_name: ' Marco ' })).toMatchObject({ status: 200, body: { ...before, first_name: 'Marco' } })
    expect((await change(portal, { last_name: 'M', devices: [] })).body).toEqual({
      ...before,
      first_name: 'Marco',
      last_name: 'M',
      devices: [],
    })
    expect((await change(portal, {})).body).toMatchObject({ first_name: 'Marco', last_name: 'M' })
    expect((await change(portal, { email: 'x@example.com', role: 'admin' })).body).toMatchObject({ email: MEMBER, role: 'pro' })
    expect((await change(portal, { first_name: 'Adele' }, 13)).body).toMatchObject({ first_name: 'Adele', role: 'admin' })
  })

  test('a member sees a new list of trackers at once, and may read only those', async () => {
    await using portal = await startPortal()
    expect(await seenBy(portal, MEMBER)).toEqual([proVan, proTruck])
    expect((await change(portal, { devices: [proDog, proVan, proDog] })).body.devices).toEqual([proVan, proDog])
    expect(await seenBy(portal, MEMBER)).toEqual([proVan, proDog])
    const ask = async (id: number) => (await portal.call(MEMBER, 'GET', `/devices/${id}/`)).status
    expect([await ask(proDog), await ask(proTruck)]).toEqual([200, 404])
    expect(await seenBy(portal, ADMIN)).toHaveLength(6)
  })

  test('a member change with an invalid value is refused with an error for its field and changes nothing', async () => {
    await using portal = await startPortal()
    const rows = [
      ['first_name', ''],
      ['last_name', 'x'.repeat(51)],
      ['devices', [rex]],
      ['devices', [proVan, 987_654_321]],
      ['devices.0', ['21']],
      ['devices', Array.from({ length: 10_001 }, () => proVan)],
      ['devices', null],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([field, value]) => `${field}:${JSON.stringify(value).slice(0, 40)}`,
        async ([field, value]) => {
          const before = await listed(portal)
          expect(await change(portal, { last_name: 'Changed', [field.split('.')[0]!]: value })).toMatchObject({
            status: 400,
            body: { code: 'validation_error', errors: { [field]: [expect.any(String)] } },
          })
          expect(await listed(portal)).toEqual(before)
        },
      ),
    ).toEqual([])
  })

  test('the administrator has no list of trackers to change', async () => {
    await using portal = await startPortal()
    expect(await change(portal, { devices: [proVan] }, 13)).toMatchObject({
      status: 400,
      body: { errors: { devices: [expect.any(String)] } },
    })
    expect(await seenBy(portal, ADMIN)).toHaveLength(6)
  })
})

describe('removing a member', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
  afterEach(() => void vi.useRealTimers())

  test('removing a member ends their tokens at once and leaves the trackers in the account', async () => {
    await using portal = await startPortal()
    const authorization = `Bearer ${await portal.token(MEMBER)}`
    expect(await ask(portal, 'DELETE', `${MEMBER_ID}/`)).toMatchObject({ status: 200, body: { id: MEMBER_ID } })
    expect((await portal.call(null, 'GET', '/users/me/', undefined, { authorization })).status).toBe(401)
    expect((await portal.world.db.read.select().from(tokens)).map(({ userId }) => userId)).not.toContain(MEMBER_ID)
    expect((await listed(portal)).map(({ email }) => email)).not.toContain(MEMBER)
    expect(await seenBy(portal, ADMIN)).toHaveLength(6)
    expect((await ask(portal, 'DELETE', `${MEMBER_ID}/`)).status).toBe(404)
    expect((await ask(portal, 'POST', '', { email: MEMBER, first_name: 'M', last_name: 'M' })).status).toBe(201)
  })

  test('removing a member ends their live stream', async () => {
    await using portal = await startPortal()
    const session = sha256(await portal.token(MEMBER))
    const stream = createLiveStream({ ...portal.world, session, viewer: { userId: MEMBER_ID, accountId: 13, role: 'pro' } })
    await stream.next()
    await ask(portal, 'DELETE', `${MEMBER_ID}/`)
    vi.advanceTimersByTime(15_000)
    expect((await stream.next()).done).toBe(true)
  })

  test('an administrator cannot remove themselves', async () => {
    await using portal = await startPortal()
    expect(await ask(portal, 'DELETE', '13/')).toMatchObject({ status: 409, body: { code: 'own_account' } })
    expect(await listed(portal)).toHaveLength(4)
  })
})
