import { expect, test } from 'vitest'
import { publicLinks } from '#db/schema/sharing.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { LINKS } from '#server/mock/seed/records/seed-secrets.ts'
import { startJobsPortal } from './test-jobs.ts'

const { zoeCat, cityBike } = SEED.devices
const ZOE = 'zoe@example.com'

test('the end of a link is published once, and its tracker is no longer public', async () => {
  await using portal = await startJobsPortal()
  const isPublic = async () => (await portal.call(ZOE, 'GET', `/devices/${zoeCat}/`)).body.is_public
  expect(await isPublic()).toBe(true)
  const fired = await portal.advance('P1D', 'link_end')
  expect(fired).toEqual([{ at: '2026-03-03T09:00:00Z', kind: 'link_end', ref: `links/${LINKS.zoeDay}` }])
  expect(await isPublic()).toBe(false)
  expect(portal.told(zoeCat, 'status').filter((body) => 'is_public' in body)).toMatchObject([{ device: zoeCat, is_public: false }])
  expect((await portal.call(null, 'GET', `/tracker_public_share_links/${LINKS.zoeDay}/`)).status).toBe(404)
  expect(await portal.advance('PT1H', 'link_end')).toEqual([])
})

test('a tracker with another valid link stays public', async () => {
  await using portal = await startJobsPortal()
  const asked = { label: 'An hour', end_date: '2026-03-02T10:00:00Z' }
  await portal.call('alice@example.com', 'DELETE', `/tracker_public_share_links/${LINKS.expired}/`)
  const { body: link } = await portal.call('alice@example.com', 'POST', `/devices/${cityBike}/public_share_link/`, asked)
  expect(await portal.advance('PT1H', 'link_end')).toMatchObject([{ ref: `links/${link.uuid}` }])
  expect(portal.told(cityBike, 'status').filter((body) => 'is_public' in body)).toMatchObject([{ is_public: true }])
})

test('the end of a link for several trackers is published for each of them', async () => {
  await using portal = await startJobsPortal()
  const { misty, puppy } = SEED.devices
  const asked = { label: 'An hour', devices: [misty, puppy], end_date: '2026-03-02T10:00:00Z' }
  const { body: link } = await portal.call('alice@example.com', 'POST', '/tracker_public_share_links/', asked)
  expect(await portal.advance('PT1H', 'link_end')).toMatchObject([{ ref: `links/${link.uuid}` }])
  for (const id of [misty, puppy]) {
    expect(portal.told(id, 'status').filter((body) => 'is_public' in body)).toMatchObject([{ device: id, is_public: false }])
    expect((await portal.call('alice@example.com', 'GET', `/devices/${id}/`)).body.is_public).toBe(false)
  }
})

test('a link that ended before the anchor is not published again, and a permanent link never ends', async () => {
  await using portal = await startJobsPortal()
  const rows = await portal.world.db.read.select().from(publicLinks)
  const told = rows.filter(({ endToldAt }) => endToldAt !== null)
  expect(told.map(({ uuid }) => uuid)).toEqual([LINKS.expired])
  expect(told[0]!.endToldAt).toEqual(told[0]!.endsAt)
})
