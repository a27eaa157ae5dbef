import { expect, test } from 'vitest'
import { devices } from '#db/schema/devices.ts'
import { daySummaries, liveEvents } from '#db/schema/positions.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'

const ALICE = 'alice@example.com'
const { rex } = SEED.devices
type Portal = Awaited<ReturnType<typeof startPortal>>
const put = (portal: Portal, days: number | null, email = ALICE) => portal.call(email, 'PUT', '/users/retention/', { days })
const read = async (portal: Portal) => (await portal.call(ALICE, 'GET', '/users/retention/')).body
const advance = (portal: Portal, by: string) => portal.call(null, 'POST', '/mock/clock/advance', { by })
const oldest = (portal: Portal, id: number = rex) => portal.world.db.positions.oldest(id)
const second = (iso: string) => Date.parse(iso) / 1000

/** A portal whose trackers do not send, so that weeks pass quickly. */
async function startQuietPortal() {
  const portal = await startPortal()
  await portal.world.db.write('everything', (tx) => tx.update(devices).set({ identifier: null }))
  return portal
}

/** Fixes of a tracker at noon of some days, each with a saved summary. */
async function addOld(portal: Portal, id: number, days: readonly string[]) {
  const rows = days.map((day) => ({ time: second(`${day}T12:00:00Z`), lat: 1, lng: 1, precision: 9, event: null, battery: null }))
  await portal.world.db.write('everything', (tx) => portal.world.db.positions.add(tx, id, rows))
}

test('positions are stored without limit until the owner sets one, and removed a day after the change', async () => {
  await using portal = await startQuietPortal()
  await addOld(portal, rex, ['2025-01-10', '2025-06-10', '2025-12-20', '2026-01-20'])
  expect(await read(portal)).toEqual({ days: null, next_removal: null, removed_before: null })
  await advance(portal, 'P2D')
  expect(await oldest(portal)).toBe(second('2025-01-10T12:00:00Z'))
  const [other] = (await portal.call('george@example.com', 'GET', '/devices/?type=tracker')).body as { id: number }[]
  await addOld(portal, other!.id, ['2025-01-10'])

  expect((await put(portal, 90)).body).toEqual({ days: 90, next_removal: '2026-03-05T09:00:00Z', removed_before: null })
  await advance(portal, 'PT23H')
  expect(await oldest(portal)).toBe(second('2025-01-10T12:00:00Z'))
  await advance(portal, 'PT2H')
  expect(await oldest(portal)).toBeGreaterThan(second('2025-12-05T09:00:00Z'))
  expect(await read(portal)).toEqual({ days: 90, next_removal: '2026-03-06T09:00:00Z', removed_before: '2025-12-05T09:00:00Z' })
  expect(await oldest(portal, other!.id)).toBe(second('2025-01-10T12:00:00Z'))

  await advance(portal, 'P15D')
  const left = await oldest(portal)
  expect(left).toBeGreaterThan(second('2025-12-20T09:00:00Z'))
  await put(portal, null)
  await advance(portal, 'P3D')
  expect(await oldest(portal)).toBe(left)
  expect(await read(portal)).toMatchObject({ days: null, next_removal: null, removed_before: expect.stringMatching(/^2025-12-20/) })
})

test('data computed from removed positions is removed with them: summaries of days and events', async () => {
  await using portal = await startQuietPortal()
  await addOld(portal, rex, ['2025-01-10', '2025-01-11'])
  await portal.call(ALICE, 'GET', `/devices/${rex}/days/?from=2025-01-10&to=2025-01-11`)
  expect(await portal.world.db.read.$count(daySummaries)).toBe(2)
  await portal.world.db.write('everything', (tx) =>
    tx.insert(liveEvents).values({ deviceId: rex, type: 'position', body: '{}', at: new Date('2025-01-10T12:00:00Z') }),
  )
  await put(portal, 365)
  await advance(portal, 'P1D')
  expect(await portal.world.db.read.select().from(daySummaries)).toEqual([])
  expect((await portal.world.db.read.select().from(liveEvents)).filter(({ at }) => at < new Date('2026-01-01'))).toEqual([])
})

test('only the owner or administrator sets one of the offered periods, with a recent sign-in', async () => {
  await using portal = await startPortal()
  expect((await put(portal, 90, 'member@pro.example.com')).status).toBe(403)
  expect((await put(portal, 90, 'admin@pro.example.com')).status).toBe(200)
  expect((await put(portal, 12)).status).toBe(400)
  const old = { authorization: `Bearer ${await portal.token(ALICE)}` }
  await advance(portal, 'PT15M')
  expect(await portal.call(null, 'PUT', '/users/retention/', { days: 30 }, old)).toMatchObject({
    status: 403,
    body: { code: 'sign_in_again' },
  })
  const log = (await portal.call('admin@pro.example.com', 'GET', '/users/security_log/')).body.entries
  expect(log.map(({ kind }: { kind: string }) => kind)).toContain('retention_changed')
})
