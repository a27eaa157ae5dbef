import { expect, test, vi } from 'vitest'
import { signInAs } from '#server/accounts/sessions/sign-in.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { LINKS } from '#server/mock/seed/records/seed-secrets.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { startPortal } from '#server/test/start-portal.ts'

const ALICE = 'alice@example.com'
const { cityBike, misty, rex, victorFree, proVan } = SEED.devices
const linksOf = (device: number) => `/devices/${device}/public_share_link/`
const day = { label: 'A day', end_date: '2026-03-03T09:00:00Z' }

test('R-7.6 the links of a tracker are listed newest first, including expired ones', async () => {
  await using portal = await startPortal()
  const { status, body } = await portal.call(ALICE, 'GET', linksOf(cityBike))
  expect(status).toBe(200)
  const { fromBeginning, expired, after2100, lastPoint, permanent } = LINKS
  expect(body.map((link: { uuid: string }) => link.uuid)).toEqual([fromBeginning, expired, after2100, lastPoint, permanent])
  expect(body[0]).toMatchObject({ start_date: null, from_beginning: true, permanent: false, last_point: false })
  expect(body[4]).toMatchObject({ end_date: '2200-01-01T00:00:00Z', expiry: null, permanent: true })
})

test('R-6.9 the links of another account are answered 404', async () => {
  await using portal = await startPortal()
  for (const method of ['GET', 'POST']) {
    expect(await portal.call(ALICE, method, linksOf(victorFree), method === 'POST' ? day : undefined)).toMatchObject({ status: 404 })
  }
})

test('R-7.7 a link is created with the requested dates', async () => {
  await using portal = await startPortal()
  const { status, body } = await portal.call(ALICE, 'POST', linksOf(misty), { ...day, last_point: true })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    label: 'A day',
    start_date: '2026-03-02T09:00:00Z',
    end_date: day.end_date,
    expiry: day.end_date,
    from_beginning: false,
    last_point: true,
  })
  expect(body.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/)
})

test('R-3.58 R-3.59 a permanent link from the beginning has neither start nor expiry', async () => {
  await using portal = await startPortal()
  const asked = { label: 'For good', permanent: true, from_beginning: true, end_date: '2020-01-01T00:00:00Z' }
  const { body } = await portal.call(ALICE, 'POST', linksOf(misty), asked)
  expect(body).toMatchObject({ start_date: null, end_date: '2200-01-01T00:00:00Z', expiry: null, permanent: true, from_beginning: true })
})

const WRONG_LINKS: [object, string][] = [
  [{ label: 'No end' }, 'end_date'],
  [{ label: 'Now', end_date: '2026-03-02T09:00:00Z' }, 'end_date'],
  [{ label: 'Before its start', start_date: '2026-03-05T09:00:00Z', end_date: '2026-03-04T09:00:00Z' }, 'end_date'],
  [{ label: 'Not a date', end_date: 'tomorrow' }, 'end_date'],
  [{ ...day, label: ' ' }, 'label'],
  [{ ...day, label: 'x'.repeat(61) }, 'label'],
]
test('R-7.7 a link with a wrong field is refused with that field', async () => {
  await using portal = await startPortal()
  const failures = await collectFailures(
    WRONG_LINKS,
    ([link]) => JSON.stringify(link),
    async ([link, field]) => {
      const { status, body } = await portal.call(ALICE, 'POST', linksOf(misty), link)
      expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'validation_error', [field]])
    },
  )
  expect(failures).toEqual([])
})

test('R-5.9 a sixth link is refused with 409, and accepted after one is removed', async () => {
  await using portal = await startPortal()
  expect(await portal.call(ALICE, 'POST', linksOf(cityBike), day)).toMatchObject({ status: 409, body: { code: 'too_many_links' } })
  expect(await portal.call(ALICE, 'DELETE', `/tracker_public_share_links/${LINKS.expired}/`)).toMatchObject({
    status: 200,
    body: { uuid: LINKS.expired },
  })
  expect((await portal.call(ALICE, 'POST', linksOf(cityBike), day)).status).toBe(201)
})

test('R-5.9 of two links created simultaneously in addition to four others, one is saved', async () => {
  await using portal = await startPortal()
  await portal.call(ALICE, 'DELETE', `/tracker_public_share_links/${LINKS.expired}/`)
  const answers = await Promise.all([1, 2].map((n) => portal.call(ALICE, 'POST', linksOf(cityBike), { ...day, label: `Link ${n}` })))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  const { body } = await portal.call(ALICE, 'GET', linksOf(cityBike))
  expect(body).toHaveLength(5)
})

test('R-5.9 links are counted in the transaction that saves one', async () => {
  await using portal = await startPortal()
  // With a database file, reads do not wait for an open transaction, so both requests have finished reading before either writes.
  const world = await portal.worlds.create({ id: 'links', seed: 1, scenario: 'family', storage: 'file' })
  const headers = { authorization: `Bearer ${await signInAs(world, ALICE)}`, 'x-world': 'links' }
  await portal.app.inject({ method: 'DELETE', url: `/tracker_public_share_links/${LINKS.expired}/`, headers })
  let release = () => {}
  const held = world.db.write('everything', () => new Promise<void>((resolve) => (release = resolve)))
  const write = vi.spyOn(world.db, 'write')
  const create = () => portal.app.inject({ method: 'POST', url: linksOf(cityBike), headers, payload: day })
  const answers = Promise.all([create(), create()])
  // A job of the world may write too.
  await expect.poll(() => write.mock.calls.length).toBeGreaterThanOrEqual(2)
  release()
  await held
  expect((await answers).map(({ statusCode }) => statusCode).sort()).toEqual([201, 409])
})

test('R-7.6 links of the same instant are listed newest first', async () => {
  await using portal = await startPortal()
  for (const label of ['first', 'second', 'third']) await portal.call(ALICE, 'POST', linksOf(misty), { ...day, label })
  const { body } = await portal.call(ALICE, 'GET', linksOf(misty))
  expect(body.map((link: { label: string }) => link.label)).toEqual(['third', 'second', 'first'])
})

test('R-7.8 a removed link no longer works for its owner and for visitors', async () => {
  await using portal = await startPortal()
  const path = `/tracker_public_share_links/${LINKS.fromBeginning}/`
  expect((await portal.call('victor@example.com', 'DELETE', path)).status).toBe(404)
  expect((await portal.call(null, 'GET', path)).status).toBe(200)
  expect((await portal.call(ALICE, 'DELETE', path)).status).toBe(200)
  expect((await portal.call(ALICE, 'DELETE', path)).status).toBe(404)
  expect(await portal.call(null, 'GET', path)).toMatchObject({ status: 404, body: { code: 'invalid_link' } })
})

test('R-3.12 the list of trackers shows at once that a tracker is shared', async () => {
  await using portal = await startPortal()
  const isShared = async () => (await portal.call(ALICE, 'GET', `/devices/${misty}/`)).body.is_public
  expect(await isShared()).toBe(false)
  const { body } = await portal.call(ALICE, 'POST', linksOf(misty), day)
  expect(await isShared()).toBe(true)
  await portal.call(ALICE, 'DELETE', `/tracker_public_share_links/${body.uuid}/`)
  expect(await isShared()).toBe(false)
})

test('all links of the account are listed with their trackers', async () => {
  await using portal = await startPortal()
  const { status, body } = await portal.call(ALICE, 'GET', '/tracker_public_share_links/')
  expect(status).toBe(200)
  expect(body).toHaveLength(7)
  expect(body.find((link: { uuid: string }) => link.uuid === LINKS.empty)).toMatchObject({ device: rex, device_name: 'Rex' })
  expect((await portal.call('dario@example.com', 'GET', '/tracker_public_share_links/')).body).toEqual([])
})

test('support reads links but changes none, and a member shares only trackers of the team', async () => {
  await using portal = await startPortal()
  expect((await portal.call('support@example.com', 'GET', linksOf(cityBike))).body).toHaveLength(5)
  expect((await portal.call('support@example.com', 'POST', linksOf(misty), day)).status).toBe(403)
  const asMember = await portal.call('member@pro.example.com', 'GET', '/devices/?type=tracker')
  const seen = asMember.body.map((device: { id: number }) => device.id)
  const unseen = [21, 22, 23, 24, 25, 26].find((id) => !seen.includes(id))!
  expect((await portal.call('member@pro.example.com', 'POST', linksOf(seen[0]), day)).status).toBe(201)
  expect((await portal.call('member@pro.example.com', 'POST', linksOf(unseen), day)).status).toBe(404)
  expect((await portal.call('admin@pro.example.com', 'POST', linksOf(proVan), day)).status).toBe(201)
})
