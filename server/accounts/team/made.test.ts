import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Made } from '#contracts/accounts/team.ts'
import { networkKeys } from '#db/schema/networks.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const [ADMIN, MEMBER] = ['admin@pro.example.com', 'member@pro.example.com']
const MEMBER_ID = 14
const { proVan, proTruck } = SEED.devices
const permanent = { label: 'Mine', permanent: true }

const statusOf = async (portal: Portal, uuid: string) => (await portal.call(null, 'GET', `/tracker_public_share_links/${uuid}/`)).status
const report = async (portal: Portal, key: string, identifier?: string) =>
  (await portal.call(null, 'POST', '/devices/ingest/', { identifier, positions: [] }, { 'x-device-key': key })).status

/** The member creates a link and a key for each of their trackers, and a link to both. */
async function make(portal: Portal) {
  const post = async (path: string, body: object) => {
    const { status, body: made } = await portal.call(MEMBER, 'POST', path, body)
    expect(status).toBe(201)
    return made
  }
  const [van, truck] = await Promise.all(
    [proVan, proTruck].map(async (id) => ({
      uuid: (await post(`/devices/${id}/public_share_link/`, permanent)).uuid as string,
      key: (await post(`/devices/${id}/keys/`, { label: 'Phone' })).key as string,
      identifier: (await portal.call(ADMIN, 'GET', `/devices/${id}/`)).body.identifier as string,
    })),
  )
  const both: string = (await post('/tracker_public_share_links/', { ...permanent, devices: [proTruck, proVan] })).uuid
  return { van: van!, truck: truck!, both }
}

/** Returns which of them work: the links to the van, the truck and both, and the keys of the van and the truck. */
const works = async (portal: Portal, { van, truck, both }: Awaited<ReturnType<typeof make>>) => [
  await statusOf(portal, van.uuid),
  await statusOf(portal, truck.uuid),
  await statusOf(portal, both),
  await report(portal, van.key, van.identifier),
  await report(portal, truck.key, truck.identifier),
]

const EVERYTHING = [200, 200, 200, 201, 201]
const NOTHING = [404, 404, 404, 401, 401]

test('the links and keys that a member made end when the member is removed, and those of others stay', async () => {
  await using portal = await startPortal()
  const made = await make(portal)
  const others = (await portal.call(ADMIN, 'POST', `/devices/${proVan}/public_share_link/`, permanent)).body.uuid
  expect(await works(portal, made)).toEqual(EVERYTHING)
  expect((await portal.call(ADMIN, 'DELETE', `/users/team/${MEMBER_ID}/`)).status).toBe(200)
  expect(await works(portal, made)).toEqual(NOTHING)
  expect(await statusOf(portal, others)).toBe(200)
})

test('with `made=keep` the links and keys of a removed member stay, without naming their maker', async () => {
  await using portal = await startPortal()
  const made = await make(portal)
  await portal.call(ADMIN, 'DELETE', `/users/team/${MEMBER_ID}/?made=keep`)
  expect(await works(portal, made)).toEqual(EVERYTHING)
  const { body } = await portal.call(ADMIN, 'GET', `/devices/${proVan}/public_share_link/`)
  const mine = (body as { uuid: string; created_by?: unknown }[]).filter(({ uuid }) => uuid === made.van.uuid)
  expect(mine.map(({ created_by }) => created_by)).toEqual([undefined])
})

test('a shorter list of trackers ends the links and keys that the member made for the removed trackers', async () => {
  await using portal = await startPortal()
  const made = await make(portal)
  expect((await portal.call(ADMIN, 'PATCH', `/users/team/${MEMBER_ID}/`, { devices: [proVan] })).status).toBe(200)
  expect(await works(portal, made)).toEqual([200, 404, 404, 201, 401])
})

test('a shorter list ends nothing with `made=keep`, nor does a change of the name or a longer list', async () => {
  await using portal = await startPortal()
  const made = await make(portal)
  const change = (query: string, body: object) => portal.call(ADMIN, 'PATCH', `/users/team/${MEMBER_ID}/${query}`, body)
  await change('', { first_name: 'Marcel' })
  await change('', { devices: [proVan, proTruck, SEED.devices.proDog] })
  await change('?made=keep', { devices: [] })
  expect(await works(portal, made)).toEqual(EVERYTHING)
})

test('removing a member also ends the links and keys that an administrator chose to keep earlier', async () => {
  await using portal = await startPortal()
  const made = await make(portal)
  await portal.call(ADMIN, 'PATCH', `/users/team/${MEMBER_ID}/?made=keep`, { devices: [] })
  await portal.call(ADMIN, 'DELETE', `/users/team/${MEMBER_ID}/`)
  expect(await works(portal, made)).toEqual(NOTHING)
})

test('alert mails to the address of a removed member end', async () => {
  await using portal = await startPortal()
  const contact = { name: 'Marc', email: MEMBER }
  const { status, body } = await portal.call(ADMIN, 'POST', '/tracker_contacts/', contact)
  expect(status).toBe(201)
  const list = async () =>
    ((await portal.call(ADMIN, 'GET', '/tracker_contacts/')).body as { id: number }[]).some(({ id }) => id === body.id)
  expect((await portal.call(ADMIN, 'GET', `/users/team/${MEMBER_ID}/made/`)).body.contacts).toEqual([{ id: body.id, name: 'Marc' }])
  await portal.call(ADMIN, 'PATCH', `/users/team/${MEMBER_ID}/`, { devices: [] })
  expect(await list()).toBe(true)
  await portal.call(ADMIN, 'DELETE', `/users/team/${MEMBER_ID}/`)
  expect(await list()).toBe(false)
})

test('the administrator sees the links and keys of a member, and the security log records those that ended', async () => {
  await using portal = await startPortal()
  const { van, truck, both } = await make(portal)
  const { body }: { body: Made } = await portal.call(ADMIN, 'GET', `/users/team/${MEMBER_ID}/made/`)
  expect(body.links.map(({ uuid }) => uuid).sort()).toEqual([van.uuid, truck.uuid, both].sort())
  expect(body.links.find(({ uuid }) => uuid === both)?.devices.map(({ id }) => id)).toEqual([proTruck, proVan])
  expect(body.keys.map(({ label, device }) => [label, device.id]).sort()).toEqual(
    [
      ['Phone', proVan],
      ['Phone', proTruck],
    ].sort(),
  )
  expect((await portal.call(MEMBER, 'GET', `/users/team/${MEMBER_ID}/made/`)).status).toBe(403)
  await portal.call(ADMIN, 'DELETE', `/users/team/${MEMBER_ID}/`)
  const { entries } = (await portal.call(ADMIN, 'GET', '/users/security_log/')).body as { entries: { kind: string; who: string }[] }
  const ended = entries.filter(({ kind, who }) => /^(link|key)_removed$/.test(kind) && who === ADMIN)
  expect(ended.map(({ kind }) => kind).sort()).toEqual(['key_removed', 'key_removed', 'link_removed', 'link_removed', 'link_removed'])
})

test('only an administrator sees who made a link or a key', async () => {
  await using portal = await startPortal()
  const { van } = await make(portal)
  await portal.call(ADMIN, 'POST', '/devices/network_keys/', { label: 'TTN' })
  const marc = { id: MEMBER_ID, first_name: 'Marc', last_name: 'Membre' }
  const read = async (as: string, path: string) => (await portal.call(as, 'GET', path)).body as { uuid?: string; created_by?: unknown }[]
  const links = await read(ADMIN, '/tracker_public_share_links/')
  expect(links.find(({ uuid }) => uuid === van.uuid)?.created_by).toEqual(marc)
  expect((await read(ADMIN, `/devices/${proVan}/keys/`))[0]?.created_by).toEqual(marc)
  expect((await read(ADMIN, '/devices/network_keys/'))[0]?.created_by).toMatchObject({ first_name: 'Ada' })
  for (const path of ['/tracker_public_share_links/', `/devices/${proVan}/keys/`])
    for (const as of [MEMBER, 'support@example.com']) expect(JSON.stringify(await read(as, path))).not.toContain('created_by')
})

test('network keys that a member made as a former administrator are listed, and end when the member is removed', async () => {
  await using portal = await startPortal()
  const create = async (label: string) =>
    (await portal.call(ADMIN, 'POST', '/devices/network_keys/', { label })).body as { id: number; key: string }
  const [theirs, others] = [await create('Console'), await create('Other')]
  await portal.world.db.write([], (tx) => tx.update(networkKeys).set({ createdBy: MEMBER_ID }).where(eq(networkKeys.id, theirs.id)))
  const made = (await portal.call(ADMIN, 'GET', `/users/team/${MEMBER_ID}/made/`)).body as Made
  expect(made.network_keys).toEqual([{ id: theirs.id, label: 'Console' }])
  await portal.call(ADMIN, 'PATCH', `/users/team/${MEMBER_ID}/`, { devices: [] })
  const statuses = async () => {
    const send = async ({ key }: { key: string }) =>
      (await portal.call(null, 'POST', '/ingest/traccar', {}, { 'x-device-key': key })).status
    return [await send(theirs), await send(others)]
  }
  expect((await statuses()).includes(401)).toBe(false)
  expect((await portal.call(ADMIN, 'DELETE', `/users/team/${MEMBER_ID}/`)).status).toBe(200)
  const [ended, kept] = await statuses()
  expect([ended, kept === 401]).toEqual([401, false])
})
