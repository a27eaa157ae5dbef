import { expect, test } from 'vitest'
import { listSorts } from '#contracts/operator/sorting.ts'
import { type OwnedTracker, TRACKER_SORTS } from '#contracts/operator/trackers.ts'
import { devices } from '#db/schema/devices.ts'
import { readEngine } from '#db/schema/engine.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { signInStaffAs } from '#server/operator/staff/sign-in.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { explainQueries, openTestDb, queryRows } from '#server/test/test-database.ts'
import { queryNames, selectOwnedTrackers } from './trackers.store.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

async function openList(portal: Portal) {
  const hana = await signInStaffAs(portal.world, { email: 'hana@shop.example', name: 'Hana Help', role: 'support' })
  return async (query: Record<string, string>) => {
    const { body } = await portal.call(null, 'GET', `/operator/api/trackers/?${new URLSearchParams(query)}`, undefined, hana)
    return body as { trackers: OwnedTracker[]; next: string | null }
  }
}

test('support finds trackers with their owners by name, owner, customer number, identifier and S/N, and sees no position', async () => {
  await using portal = await startPortal()
  const list = await openList(portal)
  const [rex] = (await list({ search: 'rex' })).trackers
  expect(rex).toMatchObject({ id: SEED.devices.rex, name: 'Rex', owner: { name: 'Alice Almeida', email: 'alice@example.com' } })
  expect(JSON.stringify(rex)).not.toMatch(/lat|position|address/)
  const names = async (search: string) => (await list({ search })).trackers.map(({ name }) => name)
  for (const search of ['alice@', 'Almeida', rex!.number]) {
    expect(await names(search)).toHaveLength(18)
    expect(await names(search)).toContain('Rex')
  }
  const [{ serial }] = await queryRows<{ serial: string }>(portal.world.db, `select serial from devices where id = ${rex!.id}`).then(
    (rows) => rows as [{ serial: string }],
  )
  for (const search of [rex!.identifier!, serial.toLowerCase()]) expect(await names(search)).toEqual(['Rex'])
  expect(await names('no such tracker')).toEqual([])
})

test('the trackers of all accounts are sorted by name or time, and each page begins where the one before has ended', async () => {
  await using portal = await startPortal()
  const list = await openList(portal)
  await portal.world.db.write('everything', async (tx) => {
    const [template] = await tx.select().from(devices).limit(1)
    const { id: _, ...copied } = template!
    for (let n = 0; n < 120; n++)
      await tx.insert(devices).values({ ...copied, name: `Cart_${(n * 7) % 30}`, identifier: null, serial: null })
  })
  const all = async (sort: string) => {
    const seen: OwnedTracker[] = []
    for (let after: string | null = ''; after !== null; ) {
      const page = await list({ sort, ...(after && { after }) })
      seen.push(...page.trackers)
      after = page.next
    }
    return seen
  }
  for (const sort of TRACKER_SORTS) {
    const up = await all(sort)
    const values = up.map(({ name, added_at }) => (sort === 'name' ? name.toLowerCase() : added_at))
    expect(values).toEqual(values.toSorted())
    expect(new Set(up.map(({ id }) => id)).size).toBe(up.length)
    expect((await all(`-${sort}`)).map(({ id }) => id)).toEqual(up.map(({ id }) => id).toReversed())
  }
})

test('each page of the trackers, and each search for a name, reads an index', async () => {
  const db = await openTestDb('family')
  if (readEngine() === 'postgres') await queryRows(db, 'set enable_seqscan = off')
  const after = { value: '12', key: '9' }
  const plans = await explainQueries(db, [
    queryNames(db.read, 'Rex', 50),
    ...listSorts(TRACKER_SORTS).flatMap((sort) => [
      selectOwnedTrackers(db.read, { sort }, 50),
      selectOwnedTrackers(db.read, { sort, after }, 50),
    ]),
  ])
  expect(plans.filter((plan) => !/devices_by_(name|creation)/.test(plan))).toEqual([])
  if (readEngine() === 'sqlite') expect(plans.filter((plan) => plan.includes('USE TEMP B-TREE'))).toEqual([])
  await db.close()
})
