import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SCENARIO_KEYS } from '#contracts/mock/scenarios.ts'
import { loadOwnScenarios } from '#server/mock/document/own-scenarios.ts'
import type { OwnScenarios } from '#server/mock/seed/scenarios/scenario.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import type { MockWorld } from './world.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

/** The rows of every table, and the number of generated ids: a further one would differ. */
function dump({ db, ids }: MockWorld) {
  const names = db.raw.prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'").pluck().all()
  const rows = names.map((name) => [name, db.raw.prepare(`select * from "${name}"`).all()] as const)
  return Object.fromEntries([...rows, ['ids', ids.count?.()]])
}

async function observe(portal: Portal, id: string) {
  const at = { 'x-world': id }
  const read = async (url: string) => (await portal.call(null, 'GET', url, undefined, at)).body
  const lists = [
    '/mock/mail',
    '/mock/pushes',
    '/mock/downlinks',
    '/mock/requests',
    '/mock/contract/violations',
    '/mock/clock',
    '/mock/jobs',
  ]
  return {
    document: (await portal.call(null, 'GET', `/mock/worlds/${id}/export`)).raw.toString('utf8').split('\n'),
    ...Object.fromEntries(await Promise.all(lists.map(async (url) => [url, await read(url)] as const))),
    rows: dump(portal.worlds.get(id)!),
  }
}

/** Compares a world before and after a period in which the server advances all worlds each second, while the clock is frozen. */
async function expectRest(portal: Portal, id: string) {
  const world = portal.worlds.get(id)!
  const events: string[] = []
  const unlisten = world.events.listen(
    ({ type }) => events.push(type),
    () => {},
  )
  const before = await observe(portal, id)
  for (let tick = 0; tick < 3; tick++) await world.play()
  const after = await observe(portal, id)
  unlisten()
  expect(after).toEqual(before)
  expect(events).toEqual([])
}

const create = async (portal: Portal, body: { id: string }) => {
  const made = await portal.call(null, 'POST', '/mock/worlds', body)
  expect([body.id, made.status, made.body.errors]).toEqual([body.id, 201, undefined])
}
const importDocument = async (portal: Portal, id: string, document: object) => {
  const body = { format: 'whereabouts world 1', ...document }
  const made = await portal.call(null, 'POST', `/mock/worlds/import?id=${id}`, body)
  expect([id, made.status, made.body.errors]).toEqual([id, 201, undefined])
}

test('a world with a frozen clock does not change by itself, in every scenario', async () => {
  await using portal = await startPortal()
  const failures = await collectFailures(SCENARIO_KEYS, String, async (scenario) => {
    const id = scenario.replaceAll('_', '-')
    await create(portal, { id, scenario, ...(scenario === 'crowd' && { size: 10 }) } as { id: string })
    await expectRest(portal, id)
    await portal.worlds.remove(id)
  })
  expect(failures).toEqual([])
})

test("a world of a user's scenario does not change by itself", async () => {
  const own: OwnScenarios = new Map()
  await using builder = await startPortal()
  await loadOwnScenarios('examples/scenarios', own, {
    worlds: builder.worlds,
    server: { base: 'http://portal.test', fetch: builder.fetch },
  })
  await using portal = await startPortal({ own })
  expect([...own.keys()]).toHaveLength(readdirSync('examples/scenarios').length - 1)
  for (const scenario of own.keys()) {
    await create(portal, { id: scenario, scenario } as { id: string })
    await expectRest(portal, scenario)
  }
})

const owner = { id: 1, email: 'anna@example.com' }
/** Documents with work that is due, but not done, at the time that they name. */
const UNDONE: Record<string, object> = {
  'ended-subscription': { trackers: [{ name: 'Bello', sub_state: 'active', sub_end_date: '2026-03-01T09:00:00Z' }] },
  'ends-tomorrow': { trackers: [{ name: 'Bello', sub_state: 'active', sub_end_date: '2026-03-03T09:00:00Z' }] },
  'ended-boost': { trackers: [{ name: 'Bello', boost_until: '2026-03-01T09:00:00Z' }] },
  'long-silence': { trackers: [{ name: 'Bello', network_state: 'active', last_message_at: '2025-10-01T09:00:00Z' }] },
  'old-positions': { trackers: [{ name: 'Bello' }], positions: { 1: [['2020-03-02T08:30:00Z', -34.9064, -56.19, 6]] } },
}

test('a world of a document with due work has done it before its response, and then does not change by itself', async () => {
  await using portal = await startPortal()
  const failures = await collectFailures(
    Object.entries(UNDONE),
    ([id]) => id,
    async ([id, document]) => {
      await importDocument(portal, id, { users: [owner], ...document })
      await expectRest(portal, id)
    },
  )
  expect(failures).toEqual([])
  const mails = await portal.call(null, 'GET', '/mock/mail', undefined, { 'x-world': 'ended-subscription' })
  expect(mails.body).toMatchObject([{ template: 'subscription_ended', to: owner.email }])
})

test('a copy, a restored snapshot, a reset and a world of another time do not change by themselves', async () => {
  await using portal = await startPortal()
  const at = { 'x-world': 'first' }
  await create(portal, { id: 'first', scenario: 'expiring' } as { id: string })
  await portal.call(null, 'POST', '/mock/clock/advance', { by: 'PT30M' }, at)
  await portal.call(null, 'POST', '/mock/snapshots', { name: 'kept' }, at)
  await portal.call(null, 'POST', '/mock/worlds/first/clone', { id: 'second' })
  await create(portal, { id: 'third', from: 'kept' } as { id: string })
  await create(portal, { id: 'fourth', scenario: 'expiring', clock: { at: '2026-03-20T09:00:00Z' } } as { id: string })
  await create(portal, { id: 'fifth', scenario: 'expiring', seed: 7 } as { id: string })
  await portal.call(null, 'POST', '/mock/reset', {}, at)
  for (const id of ['first', 'second', 'third', 'fourth', 'fifth']) await expectRest(portal, id)
})

test('a reminder due at the start of a world is there at once, with the time of the start', async () => {
  await using portal = await startPortal()
  await create(portal, { id: 'late', scenario: 'expiring' } as { id: string })
  const mails = await portal.call(null, 'GET', '/mock/mail?template=subscription_reminder', undefined, { 'x-world': 'late' })
  expect(mails.body).toMatchObject([{ created_at: '2026-03-02T09:00:00Z' }])
})
