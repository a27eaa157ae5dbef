import { expect, test } from 'vitest'
import { SharedTracker } from '#contracts/links.ts'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import { toFixed7 } from '#db/positions.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const [ALICE, VICTOR] = ['alice@example.com', 'victor@example.com']
const { newTracker, misty } = SEED.devices
const GROUP = '/tracker_public_share_links/'
const school = { name: 'School', address: 'Rambla 1', type: 'other', radius: 100, lat: -34.9, lng: -56.16 }
const permanent = { label: 'For the sitter', permanent: true, from_beginning: true }

const addPlace = async (portal: Portal, email = ALICE): Promise<number> =>
  (await portal.call(email, 'POST', '/tracker_places/', school)).body.id
const share = (portal: Portal, destination: unknown, body: object = {}) =>
  portal.call(ALICE, 'POST', `/devices/${newTracker}/public_share_link/`, { ...permanent, destination, ...body })
const visit = async (portal: Portal, uuid: string) => (await portal.call(null, 'GET', `${GROUP}${uuid}/`)).body

/** A fix a minute for the last ten minutes: 500 metres a minute towards the school, which is 5 km away now. */
async function approachSchool(portal: Portal, deviceId = newTracker) {
  const now = portal.clock.now().getTime()
  const rows = Array.from({ length: 11 }, (_, minute) => ({
    time: Math.floor((now - (10 - minute) * MINUTE_MS) / 1000),
    lat: toFixed7(school.lat + (5100 + (10 - minute) * 500) / 111_195.08),
    lng: toFixed7(school.lng),
    ...{ precision: 8, event: null, battery: null },
  }))
  await portal.world.db.write('everything', (tx) => portal.world.positions.add(tx, deviceId, rows))
}

test("visitors see a tracker's destination and its time of arrival, even if the link shows only the last position", async () => {
  await using portal = await startPortal()
  await approachSchool(portal)
  const place = await addPlace(portal)
  for (const last_point of [false, true]) {
    const { status, body } = await share(portal, place, { last_point })
    expect([status, body.destination]).toEqual([201, { id: place, name: 'School' }])
    const visited = await visit(portal, body.uuid)
    expect(SharedTracker.parse(visited)).toEqual(visited)
    const { name, lat, lng, radius } = school
    expect(visited.destination).toEqual({ name, lat, lng, radius })
    // 5 km, times 1.3, at 500 metres a minute: 13 minutes after 9:00.
    expect(visited.arrives_at).toBe('2026-03-02T09:15:00Z')
    expect(JSON.stringify(visited)).not.toContain(school.address)
  }
  const [listed] = (await portal.call(ALICE, 'GET', GROUP)).body
  expect(listed.destination).toEqual({ id: place, name: 'School' })
})

test('a tracker that no longer approaches has no arrival', async () => {
  await using portal = await startPortal()
  await approachSchool(portal)
  const { body } = await share(portal, await addPlace(portal))
  portal.clock.set({ at: new Date(portal.clock.now().getTime() + 6 * MINUTE_MS) })
  const visited = await visit(portal, body.uuid)
  expect([visited.destination.name, 'arrives_at' in visited]).toEqual(['School', false])
})

test('a link that starts now estimates no arrival from older fixes', async () => {
  await using portal = await startPortal()
  await approachSchool(portal)
  const { body } = await share(portal, await addPlace(portal), { from_beginning: false })
  expect(await visit(portal, body.uuid)).not.toHaveProperty('arrives_at')
})

test('a link to several trackers has an arrival for each that approaches', async () => {
  await using portal = await startPortal()
  await approachSchool(portal)
  const destination = await addPlace(portal)
  const { body } = await portal.call(ALICE, 'POST', GROUP, { ...permanent, destination, devices: [misty, newTracker] })
  const visited = await visit(portal, body.uuid)
  expect([visited.arrives_at, visited.others[0].arrives_at]).toEqual([undefined, '2026-03-02T09:15:00Z'])
})

test('a link without a destination shows none', async () => {
  await using portal = await startPortal()
  for (const none of [undefined, null]) {
    const { status, body } = await share(portal, none)
    expect([status, 'destination' in body]).toEqual([201, false])
    expect(await visit(portal, body.uuid)).not.toHaveProperty('destination')
  }
})

test('a destination follows its place, and disappears when the place is removed', async () => {
  await using portal = await startPortal()
  const place = await addPlace(portal)
  const { uuid } = (await share(portal, place)).body
  await portal.call(ALICE, 'PATCH', `/tracker_places/${place}/`, { name: 'New school' })
  expect((await visit(portal, uuid)).destination.name).toBe('New school')
  expect((await portal.call(ALICE, 'DELETE', `/tracker_places/${place}/`)).status).toBe(200)
  expect(await visit(portal, uuid)).toMatchObject({ label: permanent.label })
  expect(await visit(portal, uuid)).not.toHaveProperty('destination')
  expect((await portal.call(ALICE, 'GET', GROUP)).body[0]).not.toHaveProperty('destination')
})

test('a place of another account, an unknown one and a non-number are refused as destination', async () => {
  await using portal = await startPortal()
  for (const wrong of [await addPlace(portal, VICTOR), 9999, 'home']) {
    const { status, body } = await share(portal, wrong)
    expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'validation_error', ['destination']])
  }
})
