import { eq } from 'drizzle-orm'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { dataCopies, dataCopyFiles } from '#db/schema/accounts.ts'
import { devices } from '#db/schema/devices.ts'
import { signInAs } from '#server/accounts/sessions/sign-in.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { mailsTo } from '#server/test/test-mail.ts'

const ALICE = 'alice@example.com'
type Portal = Awaited<ReturnType<typeof startPortal>>
const request = (portal: Portal, email = ALICE) => portal.call(email, 'POST', '/users/export/')
const advance = (portal: Portal, duration: string) => portal.call(null, 'POST', '/mock/clock/advance', { by: duration })
const list = async (portal: Portal, email = ALICE) => (await portal.call(email, 'GET', '/users/export/')).body

/** Unpacks a zip file with a library, and returns the contents by name. */
const unpack = (zip: Buffer) => new Map(Object.entries(unzipSync(zip)).map(([name, content]) => [name, Buffer.from(content)]))

async function download(portal: Portal, id: number, email = ALICE) {
  const authorization = `Bearer ${await portal.token(email)}`
  return portal.app.inject({ url: `/users/export/${id}/`, headers: { authorization } })
}

test("a copy of the user's data has the records, tracks and invoices of the account, and is mailed when time advances", async () => {
  await using portal = await startPortal()
  const authorization = `Bearer ${await signInAs(portal.world, ALICE)}`
  const channel = { kind: 'ntfy', label: 'Tablet', url: 'https://ntfy.sh/rex-4711' }
  await portal.call(null, 'POST', '/users/channels/', channel, { authorization })
  const { body: silence } = await portal.call(ALICE, 'POST', '/alert_silences/', { hours: 8, note: 'At the vet' })
  await portal.call(ALICE, 'PUT', '/devices/1/normal/', { enabled: true })
  const shape = {
    type: 'polygon',
    points: [
      [-34.91, -56.17],
      [-34.91, -56.16],
      [-34.9, -56.16],
    ],
  }
  await portal.call(ALICE, 'POST', '/tracker_places/', { name: 'Park', address: 'Parque Rodó', type: 'other', radius: 50, shape })
  const { status, body } = await request(portal)
  expect([status, body]).toEqual([
    201,
    { id: expect.any(Number), state: 'running', created: '2026-03-02T09:00:00Z', until: null, bytes: null },
  ])
  expect((await download(portal, body.id)).statusCode).toBe(404)
  await advance(portal, 'PT1M')
  expect(await list(portal)).toEqual([
    { ...body, state: 'ready', until: expect.stringMatching(/^2026-03-03T09:0/), bytes: expect.any(Number) },
  ])
  expect(await mailsTo(portal.world, ALICE, 'data_ready')).toHaveLength(1)

  const answer = await download(portal, body.id)
  expect(answer.headers).toMatchObject({ 'content-type': 'application/zip', 'cache-control': 'no-store' })
  const files = unpack(answer.rawPayload)
  const read = (name: string) => JSON.parse(String(files.get(`${name}.json`)))
  for (const [name, url] of Object.entries({
    trackers: '/devices/?type=tracker',
    places: '/tracker_places/',
    alerts: '/tracker_alerts/',
    contacts: '/tracker_contacts/',
    tags: '/tracker_tags/',
    orders: '/users/orders/',
    public_links: '/tracker_public_share_links/',
  }))
    expect(read(name), name).toHaveLength((await portal.call(ALICE, 'GET', url)).body.length)
  const { body: places } = await portal.call(ALICE, 'GET', '/tracker_places/')
  expect(read('places')).toEqual(places)
  expect(read('places')).toContainEqual(expect.objectContaining({ name: 'Park', shape }))
  const { firings } = (await portal.call(ALICE, 'GET', '/alert_firings/')).body
  expect(firings.length).toBeGreaterThan(0)
  expect(read('fired_alerts')).toEqual(firings)
  expect(read('silences')).toEqual([silence])
  expect(read('usual')).toMatchObject([1, 6].map((tracker) => ({ tracker, enabled: true })))
  expect(read('account')).toMatchObject({
    user: { email: ALICE },
    settings: { firstname: 'Alice' },
    api_tokens: [{ label: 'Home Assistant' }],
    channels: [{ label: 'Tablet', target: 'https://ntfy.sh/rex-4711' }],
  })
  expect(String(files.get('tracks/1 Rex/2026-03.gpx'))).toMatch(/^<\?xml[\s\S]*<trkpt [\s\S]*<\/gpx>\n$/)
  const invoices = (await portal.call(ALICE, 'GET', '/users/invoices/')).body
  expect([...files.keys()].filter((name) => name.startsWith('invoices/'))).toHaveLength(invoices.length)
  expect(String(files.get(`invoices/${invoices[0].number}.pdf`)?.subarray(0, 5))).toBe('%PDF-')
  const log = (await portal.call(ALICE, 'GET', '/users/security_log/')).body.entries
  expect(log.map(({ kind }: { kind: string }) => kind)).toContain('data_copied')
})

test('a copy has the positions of a resting tracker up to the beginning of its rest', async () => {
  await using portal = await startPortal()
  const ended = { subState: 'ended' as const, subEndDate: new Date('2026-02-05T12:00:00Z') }
  await portal.world.db.write('everything', (tx) => tx.update(devices).set(ended).where(eq(devices.id, 1)))
  const { body } = await request(portal)
  await advance(portal, 'PT1M')
  const files = unpack((await download(portal, body.id)).rawPayload)
  expect([...files.keys()].filter((name) => name.startsWith('tracks/1 Rex')).at(-1)).toBe('tracks/1 Rex/2026-02.gpx')
  const days = [...String(files.get('tracks/1 Rex/2026-02.gpx')).matchAll(/<time>(.{10})/g)].map(([, day]) => day)
  expect(days.at(-1)).toBe('2026-02-19')
})

test("a team member's copy has only their own trackers and no orders, and support gets no copy", async () => {
  await using portal = await startPortal()
  const member = 'member@pro.example.com'
  const { body } = await request(portal, member)
  await advance(portal, 'PT1M')
  const files = unpack((await download(portal, body.id, member)).rawPayload)
  const own = (await portal.call(member, 'GET', '/devices/?type=tracker')).body as { id: number }[]
  const ids = JSON.parse(String(files.get('trackers.json'))).map(({ id }: { id: number }) => id)
  expect(ids).toEqual(own.map(({ id }) => id))
  const tracked = [...files.keys()].flatMap((name) => /^tracks\/(\d+)/.exec(name)?.[1] ?? [])
  expect(tracked.every((id) => ids.includes(Number(id)))).toBe(true)
  expect([...files.keys()].filter((name) => /order|invoice|subscription/.test(name))).toEqual([])
  expect((await request(portal, 'support@example.com')).status).toBe(403)
})

test('a copy is rejected while one is in progress, without a recent sign-in, and after three a day', async () => {
  await using portal = await startPortal()
  const old = { authorization: `Bearer ${await portal.token(ALICE)}` }
  expect((await request(portal)).status).toBe(201)
  expect(await request(portal)).toMatchObject({ status: 409, body: { code: 'export_running' } })
  for (const status of [201, 201, 429]) {
    await advance(portal, 'PT6M')
    expect((await request(portal)).status).toBe(status)
  }
  expect(await portal.call(null, 'POST', '/users/export/', undefined, old)).toMatchObject({ status: 403, body: { code: 'sign_in_again' } })
  await advance(portal, 'P1D')
  expect((await request(portal)).status).toBe(201)
})

test('a copy is removed after a day, by the next one, and with the account', async () => {
  await using portal = await startPortal()
  const count = async () => [await portal.world.db.read.$count(dataCopies), await portal.world.db.read.$count(dataCopyFiles)]
  await advance(portal, 'P1D')
  expect([await list(portal), await count()]).toEqual([[], [0, 0]])
  const first = (await request(portal)).body
  await advance(portal, 'PT1M')
  const second = (await request(portal)).body
  await advance(portal, 'PT1M')
  expect((await download(portal, first.id)).statusCode).toBe(404)
  expect((await download(portal, second.id)).statusCode).toBe(200)
  expect((await portal.call(ALICE, 'DELETE', '/users/me/?profile=all')).status).toBe(200)
  expect(await count()).toEqual([0, 0])
})
