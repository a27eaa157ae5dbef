import { describe, expect, test } from 'vitest'
import { deviceKeys } from '#db/schema/devices.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const ALICE = 'alice@example.com'
const later = ({ clock }: Portal, ms: number) => clock.set({ at: new Date(clock.now().getTime() + ms) })
const { rex, misty, victorFree, proVan } = SEED.devices
const [REX, MISTY] = ['1000000001', '1000000002']
const keysOf = (device: number) => `/devices/${device}/keys/`
const make = (portal: Portal, device: number = rex, label = 'My phone') => portal.call(ALICE, 'POST', keysOf(device), { label })
const ingest = (portal: Portal, key: string, body: object = {}) =>
  portal.call(null, 'POST', '/devices/ingest/', { identifier: REX, positions: [], ...body }, { 'x-device-key': key })

describe('device keys', () => {
  test('a tracker has no keys at first', async () => {
    await using portal = await startPortal()
    expect(await portal.call(ALICE, 'GET', keysOf(rex))).toMatchObject({ status: 200, body: [] })
  })

  test('a key is shown only when created, with its URLs, and stored as a hash', async () => {
    await using portal = await startPortal()
    const { status, body } = await make(portal)
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number),
        label: 'My phone',
        created_at: '2026-03-02T09:00:00Z',
        last_used_at: null,
        key: expect.stringMatching(/^[0-9a-f]{40}$/),
        urls: {
          osmand: 'http://portal.test/ingest/osmand',
          owntracks: 'http://portal.test/ingest/owntracks',
          overland: 'http://portal.test/ingest/overland',
          ingest: 'http://portal.test/devices/ingest/',
        },
      },
    ])
    const { key, urls, ...shown } = body
    expect((await portal.call(ALICE, 'GET', keysOf(rex))).body).toEqual([shown])
    const rows = await portal.world.db.read.select().from(deviceKeys).orderBy(deviceKeys.id)
    expect(rows.at(-1)?.hash).toBe(sha256(key))
    expect(JSON.stringify(rows)).not.toContain(key)
  })

  test('keys are listed newest first and need no label', async () => {
    await using portal = await startPortal()
    const made = [(await make(portal)).body.id, (await portal.call(ALICE, 'POST', keysOf(rex), {})).body.id]
    const { body } = await portal.call(ALICE, 'GET', keysOf(rex))
    expect(body.map(({ id }: { id: number }) => id)).toEqual(made.toReversed())
    expect(body[0].label).toBe('')
    expect((await portal.call(ALICE, 'GET', keysOf(misty))).body).toEqual([])
  })

  test('a tracker has at most five keys, even when two are created at once', async () => {
    await using portal = await startPortal()
    for (let n = 0; n < 4; n++) expect((await make(portal)).status).toBe(201)
    const responses = await Promise.all([make(portal), make(portal)])
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(await make(portal)).toMatchObject({ status: 409, body: { code: 'too_many_keys' } })
    expect((await make(portal, misty)).status).toBe(201)
    const [{ id }] = (await portal.call(ALICE, 'GET', keysOf(rex))).body
    await portal.call(ALICE, 'DELETE', `${keysOf(rex)}${id}/`)
    expect((await make(portal)).status).toBe(201)
  })

  test.each([{ label: 'x'.repeat(61) }, { label: 5 }, { label: null }])('a key with the label %j is refused', async (body) => {
    await using portal = await startPortal()
    const response = await portal.call(ALICE, 'POST', keysOf(rex), body)
    expect(response).toMatchObject({ status: 400, body: { code: 'validation_error', errors: { label: [expect.any(String)] } } })
  })

  test("R-6.9 keys of another account's tracker are not found, and support only reads them", async () => {
    await using portal = await startPortal()
    const { id } = (await make(portal)).body
    const calls = [
      ['GET', keysOf(rex)],
      ['POST', keysOf(rex)],
      ['DELETE', `${keysOf(rex)}${id}/`],
    ] as const
    for (const [method, path] of calls) {
      const body = method === 'POST' ? {} : undefined
      for (const stranger of ['dario@example.com', 'admin@pro.example.com', 'member@pro.example.com'])
        expect((await portal.call(stranger, method, path, body)).status, `${stranger} ${method}`).toBe(404)
      expect((await portal.call('support@example.com', method, path, body)).status).toBe(method === 'GET' ? 200 : 403)
    }
    expect((await portal.call('admin@pro.example.com', 'POST', keysOf(proVan), {})).status).toBe(201)
    expect((await portal.call(ALICE, 'GET', keysOf(victorFree))).status).toBe(404)
  })
})

describe('use of device keys', () => {
  test('a key reports for its tracker only', async () => {
    await using portal = await startPortal()
    const { key } = (await make(portal)).body
    expect((await ingest(portal, key)).status).toBe(201)
    expect((await ingest(portal, key, { identifier: undefined, serial: 'ALICE0000001' })).status).toBe(201)
    for (const body of [{ identifier: MISTY }, { serial: 'ALICE0000002' }, { identifier: 'nonsense' }, { identifier: '5555555555' }])
      expect(await ingest(portal, key, body)).toMatchObject({ status: 404, body: { code: 'unknown_tracker' } })
  })

  test('a revoked key stops working at once, and is revoked once and only through its tracker', async () => {
    await using portal = await startPortal()
    const { id, key } = (await make(portal)).body
    expect((await portal.call(ALICE, 'DELETE', `${keysOf(misty)}${id}/`)).status).toBe(404)
    expect((await ingest(portal, key)).status).toBe(201)
    expect(await portal.call(ALICE, 'DELETE', `${keysOf(rex)}${id}/`)).toMatchObject({ status: 200, body: { id } })
    expect(await ingest(portal, key)).toMatchObject({ status: 401, body: { code: 'invalid_device_key' } })
    expect((await portal.call(ALICE, 'DELETE', `${keysOf(rex)}${id}/`)).status).toBe(404)
  })

  test('a key shows when it was last used, to the minute', async () => {
    await using portal = await startPortal()
    const { key } = (await make(portal)).body
    const used = async () => (await portal.call(ALICE, 'GET', keysOf(rex))).body[0].last_used_at
    expect(await used()).toBeNull()
    await ingest(portal, key)
    later(portal, 59_000)
    await ingest(portal, key)
    expect(await used()).toBe('2026-03-02T09:00:00Z')
    later(portal, 1000)
    await ingest(portal, key)
    expect(await used()).toBe('2026-03-02T09:01:00Z')
  })

  test('a key is deleted with the account of its tracker', async () => {
    await using portal = await startPortal()
    const { key } = (await make(portal)).body
    expect((await portal.call(ALICE, 'DELETE', '/users/me/?profile=all')).status).toBe(200)
    expect((await portal.world.db.read.select().from(deviceKeys)).filter(({ deviceId }) => deviceId !== null)).toEqual([])
    expect((await ingest(portal, key)).status).toBe(401)
  })
})
