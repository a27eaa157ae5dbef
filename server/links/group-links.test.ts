import { expect, test } from 'vitest'
import { SharedTracker } from '#contracts/links.ts'
import { MAX_LINK_TRACKERS } from '#contracts/rules/link.ts'
import { toFixed7 } from '#db/positions.ts'
import { teamDevices } from '#db/schema/accounts.ts'
import { devices } from '#db/schema/devices.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { LINKS } from '#server/mock/seed/records/seed-secrets.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { queryValue } from '#server/test/test-database.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const [ALICE, ADMIN, MEMBER] = ['alice@example.com', 'admin@pro.example.com', 'member@pro.example.com']
const { rex, misty, cityBike, puppy, runawayCat, newTracker, victorFree } = SEED.devices
const GROUP = '/tracker_public_share_links/'
const permanent = { label: 'For the sitter', permanent: true, from_beginning: true }
const share = (portal: Portal, body: object, email = ALICE) => portal.call(email, 'POST', GROUP, { ...permanent, ...body })
const visit = (portal: Portal, uuid: string) => portal.call(null, 'GET', `${GROUP}${uuid}/`)
const linksOf = async (portal: Portal, id: number) => (await portal.call(ALICE, 'GET', `/devices/${id}/public_share_link/`)).body
const countOthers = (portal: Portal, uuid: string) =>
  queryValue(portal.world.db, `select count(*) from link_devices where link_uuid = '${uuid}'`)
type Visit = { tracker: { name: string }; others?: { tracker: { name: string }; positions: object[] }[]; positions: object[] }
const namesOf = ({ tracker, others = [] }: Visit) => [tracker.name, ...others.map((other) => other.tracker.name)]

test('a link for several trackers shows the first one as before, and also the others', async () => {
  await using portal = await startPortal()
  const { status, body } = await share(portal, { devices: [rex, puppy, misty, rex] })
  expect(status).toBe(201)
  const shown = [
    { id: rex, name: 'Rex' },
    { id: misty, name: 'Misty' },
    { id: puppy, name: 'Puppy' },
  ]
  expect(body.devices).toEqual([shown[0], shown[2], shown[1]])
  const visited = await visit(portal, body.uuid)
  expect(SharedTracker.parse(visited.body)).toEqual(visited.body)
  expect(namesOf(visited.body)).toEqual(['Rex', 'Misty', 'Puppy'])
  expect(JSON.stringify(visited.body)).not.toMatch(/"id"|serial|ALICE/)
  for (const { id } of shown) expect((await linksOf(portal, id))[0]).toMatchObject({ uuid: body.uuid, devices: shown })
  const all = (await portal.call(ALICE, 'GET', GROUP)).body
  expect(all[0]).toMatchObject({ uuid: body.uuid, device: rex, device_name: 'Rex', devices: shown })
  expect(all[1]).not.toHaveProperty('devices')
})

test('a tag selects the trackers that have it when the link is created', async () => {
  await using portal = await startPortal()
  const { body } = await share(portal, { tag: SEED.tags.pets })
  expect(namesOf((await visit(portal, body.uuid)).body)).toEqual(['Misty', 'Puppy', 'Rex', 'Runaway cat'])
  await portal.call(ALICE, 'PATCH', `/devices/${newTracker}/`, { tag: SEED.tags.pets })
  await portal.call(ALICE, 'PATCH', `/devices/${rex}/`, { tag: null })
  expect(namesOf((await visit(portal, body.uuid)).body)).toEqual(['Misty', 'Puppy', 'Rex', 'Runaway cat'])
})

test('a link for one tracker lists no others', async () => {
  await using portal = await startPortal()
  const { body } = await share(portal, { devices: [misty] })
  expect(body).not.toHaveProperty('devices')
  expect((await visit(portal, body.uuid)).body).not.toHaveProperty('others')
})

const WRONG: [object, string][] = [
  [{}, 'devices'],
  [{ devices: [rex], tag: SEED.tags.pets }, 'devices'],
  [{ devices: [] }, 'devices'],
  [{ devices: Array.from({ length: MAX_LINK_TRACKERS + 1 }, (_, id) => id) }, 'devices'],
  [{ devices: [rex, victorFree] }, 'devices'],
  [{ tag: 999 }, 'tag'],
  [{ tag: SEED.tags.empty }, 'tag'],
  [{ devices: [rex, misty], permanent: false }, 'end_date'],
  [{ devices: [rex, misty], label: ' ' }, 'label'],
]
test('a link for several trackers with a wrong field is refused with that field', async () => {
  await using portal = await startPortal()
  const failures = await collectFailures(
    WRONG,
    ([body]) => JSON.stringify(body).slice(0, 60),
    async ([wrong, field]) => {
      const { status, body } = await share(portal, wrong)
      expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'validation_error', [field]])
    },
  )
  expect(failures).toEqual([])
})

test('a tag of more trackers than a link may show is refused', async () => {
  await using portal = await startPortal()
  const [one] = await portal.world.db.read.select().from(devices).limit(1)
  const rows = Array.from({ length: MAX_LINK_TRACKERS }, (_, n) => {
    const { id: _id, serial: _serial, identifier: _identifier, ...row } = one!
    return { ...row, name: `Van ${n}`, accountId: 1, tagId: SEED.tags.empty }
  })
  await portal.world.db.write('everything', async (tx) => {
    for (const row of rows) await tx.insert(devices).values(row)
  })
  expect((await share(portal, { tag: SEED.tags.empty })).status).toBe(201)
  await portal.call(ALICE, 'PATCH', `/devices/${rex}/`, { tag: SEED.tags.empty })
  expect(await share(portal, { tag: SEED.tags.empty })).toMatchObject({ status: 400, body: { errors: { tag: [expect.any(String)] } } })
})

test('R-5.9 a link for several trackers counts for each, and names the trackers that already have five', async () => {
  await using portal = await startPortal()
  expect(await share(portal, { devices: [rex, cityBike] })).toMatchObject({
    status: 409,
    body: { code: 'too_many_links', devices: [cityBike] },
  })
  for (let count = 0; count < 5; count++) expect((await share(portal, { devices: [puppy, misty] })).status).toBe(201)
  expect(await linksOf(portal, misty)).toHaveLength(5)
  expect(await portal.call(ALICE, 'POST', `/devices/${misty}/public_share_link/`, permanent)).toMatchObject({ status: 409 })
  const [{ uuid }] = await linksOf(portal, misty)
  await portal.call(ALICE, 'DELETE', `${GROUP}${uuid}/`)
  expect((await portal.call(ALICE, 'POST', `/devices/${misty}/public_share_link/`, permanent)).status).toBe(201)
})

test('R-3.12 every tracker of a link is public until the link is removed', async () => {
  await using portal = await startPortal()
  const arePublic = async () => {
    const { body } = await portal.call(ALICE, 'GET', '/devices/?type=tracker')
    return [misty, puppy].map((id) => body.find((device: { id: number }) => device.id === id).is_public)
  }
  expect(await arePublic()).toEqual([false, false])
  const { body } = await share(portal, { devices: [misty, puppy] })
  expect(await arePublic()).toEqual([true, true])
  await portal.call(ALICE, 'DELETE', `${GROUP}${body.uuid}/`)
  expect(await arePublic()).toEqual([false, false])
  const log = (await portal.call(ALICE, 'GET', '/users/security_log/')).body.entries
  expect(log.slice(0, 2)).toMatchObject([
    { kind: 'link_removed', about: 'Misty, Puppy' },
    { kind: 'link_added', about: 'Misty, Puppy' },
  ])
})

test('the trackers of a link share its 5000 positions', async () => {
  await using portal = await startPortal()
  const first = Date.parse('2026-02-01T00:00:00Z') / 1000
  const fix = { lat: toFixed7(-34.9), lng: toFixed7(-56.16), precision: 8, event: null, battery: null }
  const rows = Array.from({ length: 2501 }, (_, minute) => ({ ...fix, time: first + minute * 60 }))
  await portal.world.db.write('everything', (tx) => portal.world.positions.add(tx, newTracker, rows))
  const { body: link } = await share(portal, { devices: [newTracker, misty] })
  const { body } = await visit(portal, link.uuid)
  expect([body.positions.length, body.positions[0].datetime]).toEqual([2500, '2026-02-01T00:01:00Z'])
})

test('a removed tracker is removed from its links, which continue with the others and end with the last', async () => {
  await using portal = await startPortal()
  const { uuid } = (await share(portal, { devices: [misty, puppy, runawayCat] })).body
  const names = async () => namesOf((await visit(portal, uuid)).body)
  const remove = (id: number) => portal.call(ALICE, 'DELETE', `/devices/${id}/`)
  await remove(runawayCat)
  expect(await names()).toEqual(['Misty', 'Puppy'])
  await remove(misty)
  expect(await names()).toEqual(['Puppy'])
  expect((await linksOf(portal, puppy))[0]).toMatchObject({ uuid })
  await remove(puppy)
  expect((await visit(portal, uuid)).status).toBe(404)
  expect(await countOthers(portal, uuid)).toBe(0)
})

test('an erased account takes its links of several trackers along', async () => {
  await using portal = await startPortal()
  const zoe = 'zoe@example.com'
  const { uuid } = (await share(portal, { devices: [SEED.devices.zoeCat, SEED.devices.zoeBike] }, zoe)).body
  expect((await portal.call(zoe, 'DELETE', '/users/me/?profile=all')).status).toBe(200)
  expect((await visit(portal, uuid)).status).toBe(404)
  expect(await countOthers(portal, uuid)).toBe(0)
})

test('a team member reads and removes only links whose trackers are all on the list of the team', async () => {
  await using portal = await startPortal()
  const [one, two] = (await portal.call(MEMBER, 'GET', '/devices/?type=tracker')).body.map(({ id }: { id: number }) => id)
  const unseen = [21, 22, 23, 24, 25, 26].find((id) => id !== one && id !== two)!
  expect(await share(portal, { devices: [one, unseen] }, MEMBER)).toMatchObject({ status: 400 })
  const mixed = (await share(portal, { devices: [one, unseen] }, ADMIN)).body
  const seen = (await share(portal, { devices: [one, two] }, MEMBER)).body
  const uuids = async (path: string) => (await portal.call(MEMBER, 'GET', path)).body.map(({ uuid }: { uuid: string }) => uuid)
  for (const path of [GROUP, `/devices/${one}/public_share_link/`]) expect(await uuids(path)).toEqual([seen.uuid])
  expect((await portal.call(MEMBER, 'DELETE', `${GROUP}${mixed.uuid}/`)).status).toBe(404)
  await portal.world.db.write('everything', (tx) => tx.delete(teamDevices))
  expect(await uuids(GROUP)).toEqual([])
  expect((await portal.call(ADMIN, 'DELETE', `${GROUP}${mixed.uuid}/`)).status).toBe(200)
})

test('a theft report names no link that shows other trackers as well', async () => {
  await using portal = await startPortal()
  const { findLiveUrl } = await import('./valid-link.ts')
  await share(portal, { devices: [misty, puppy] })
  await share(portal, { devices: [puppy, misty] })
  expect(await findLiveUrl(portal.world, misty)).toBeUndefined()
  expect(await findLiveUrl(portal.world, cityBike)).toContain(LINKS.permanent)
})
