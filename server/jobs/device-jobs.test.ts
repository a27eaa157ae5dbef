import { describe, expect, test } from 'vitest'
import { subscriptions } from '#db/schema/commerce.ts'
import { publicLinks } from '#db/schema/sharing.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { LINKS } from '#server/mock/seed/records/seed-secrets.ts'
import { days, hours, startJobsPortal } from './test-jobs.ts'

const { misty, kitchen, proVan, puppy, rex } = SEED.devices
const ALICE = 'alice@example.com'
const atOne = '2026-03-02T10:00:00Z'

const statusOf = async (portal: Awaited<ReturnType<typeof startJobsPortal>>, id: number) =>
  (await portal.call(ALICE, 'GET', `/devices/${id}/`)).body.tracker_status.sub_state

describe('the end of a subscription', () => {
  test('the end of a subscription is stored, published to the live stream and mailed to the owner, once', async () => {
    await using portal = await startJobsPortal()
    await portal.change(misty, { subEndDate: hours(1) })
    expect(await portal.advance('PT1H', 'subscription_end')).toEqual([])
    expect(await statusOf(portal, misty)).toBe('active')
    expect(await portal.advance('PT2H', 'subscription_end')).toEqual([{ at: atOne, kind: 'subscription_end', ref: `devices/${misty}` }])
    expect((await portal.device(misty)).subState).toBe('ended')
    expect(await statusOf(portal, misty)).toBe('ended')
    expect(portal.told(misty, 'status').at(-1).tracker_status.sub_state).toBe('ended')
    expect(await portal.advance('PT1H', 'subscription_end')).toEqual([])
    const mails = await portal.mails('subscription_ended')
    expect(mails).toMatchObject([{ to: ALICE, language: 'en', data: { tracker: 'Misty', datetime: atOne } }])
    expect(mails[0]!.createdAt).toEqual(new Date(hours(1).getTime() + 1))
  })

  test('the list of trackers shows the end of a subscription at once', async () => {
    await using portal = await startJobsPortal()
    await portal.change(misty, { subEndDate: hours(1) })
    const before = await portal.call(ALICE, 'GET', '/devices/?type=tracker')
    await portal.advance('PT2H')
    const after = await portal.call(ALICE, 'GET', '/devices/?type=tracker')
    const stateIn = ({ body }: typeof before) => body.find(({ id }: { id: number }) => id === misty).tracker_status.sub_state
    expect([stateIn(before), stateIn(after)]).toEqual(['active', 'ended'])
  })

  test('a renewing subscription ends a day late, to leave time for the charge', async () => {
    await using portal = await startJobsPortal()
    await portal.change(puppy, { subState: 'active', subEndDate: hours(1) })
    const bought = { deviceId: puppy, priceId: 'eur-1m', months: 1, extra: 0, options: [], startedAt: days(-30), endsAt: hours(1) }
    await portal.world.db.write('everything', (tx) => tx.insert(subscriptions).values({ ...bought, isRecurring: true, renewsAt: hours(1) }))
    expect(await portal.advance('P1D', 'subscription_end')).toEqual([])
    expect(await portal.advance('PT2H', 'subscription_end')).toMatchObject([{ at: '2026-03-03T10:00:00Z', ref: `devices/${puppy}` }])
  })

  test('a subscription that was renewed ends again with a second mail; one without an end date never does', async () => {
    await using portal = await startJobsPortal()
    for (const end of [hours(1), hours(3)]) {
      await portal.change(misty, { subState: 'active', subEndDate: end })
      expect(await portal.advance('PT2H', 'subscription_end')).toHaveLength(1)
    }
    await portal.change(misty, { subState: 'active', subEndDate: null })
    expect(await portal.advance('PT2H', 'subscription_end')).toEqual([])
  })

  test('the mail about a tracker of a pro account goes to its administrator only', async () => {
    await using portal = await startJobsPortal()
    await portal.change(proVan, { subEndDate: hours(1) })
    await portal.advance('PT2H')
    expect(await portal.mails('subscription_ended')).toMatchObject([{ to: 'admin@pro.example.com' }])
    expect((await portal.call(ALICE, 'GET', `/devices/${proVan}/`)).status).toBe(404)
  })

  test('a subscription that ended before the anchor is not reported again', async () => {
    await using portal = await startJobsPortal()
    await portal.advance('PT1H')
    for (const template of ['subscription_ended', 'network_lost']) expect(await portal.mails(template)).toEqual([])
  })
})

describe('the silence of a tracker', () => {
  test('R-4.9 after 90 days of silence the network is deactivated, published and mailed, once', async () => {
    await using portal = await startJobsPortal()
    await portal.change(kitchen, { lastMessageAt: new Date(days(-90).getTime() + 3_600_000) })
    expect(await portal.advance('PT1H', 'network_silence')).toEqual([])
    expect(await portal.advance('PT1H', 'network_silence')).toEqual([{ at: atOne, kind: 'network_silence', ref: `devices/${kitchen}` }])
    expect((await portal.device(kitchen)).networkState).toBe('deactivated')
    expect(portal.told(kitchen, 'network')).toMatchObject([{ tracker_config: { network_state: 'deactivated' } }])
    expect(await portal.mails('network_lost')).toMatchObject([{ to: ALICE, data: { tracker: 'Kitchen', device: String(kitchen) } }])
    expect(await portal.advance('PT1H', 'network_silence')).toEqual([])
  })

  test('the 90 days start again at a reactivation', async () => {
    await using portal = await startJobsPortal()
    await portal.change(kitchen, { lastMessageAt: days(-200), networkActivatedAt: new Date(days(-90).getTime() + 7_200_000) })
    expect(await portal.advance('PT2H', 'network_silence')).toEqual([])
    expect(await portal.advance('PT1H', 'network_silence')).toHaveLength(1)
  })

  test('a tracker that never sent a message does not count as silent', async () => {
    await using portal = await startJobsPortal()
    await portal.change(kitchen, { lastMessageAt: null })
    expect(await portal.advance('PT1H', 'network_silence')).toEqual([])
  })
})

test('R-9.7 a boost ends at its instant and the live stream publishes it', async () => {
  await using portal = await startJobsPortal()
  expect(await portal.advance('PT59M', 'boost_end')).toEqual([])
  expect(await portal.advance('PT1M', 'boost_end')).toEqual([{ at: atOne, kind: 'boost_end', ref: `devices/${rex}` }])
  expect((await portal.device(rex)).boostUntil).toBeNull()
  expect(portal.told(rex, 'mode')).toMatchObject([{ device: rex, tracker_config: { mode: 21 } }])
})

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
