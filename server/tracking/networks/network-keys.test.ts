import { describe, expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { startPortal } from '#server/test/start-portal.ts'
import * as bodies from './test-bodies.ts'
import { ALICE, GATEWAY, type Headers, NUMBERS, type Portal, post, saveNumbers, startNetworks } from './test-networks.ts'

const { rex, misty, familyCar, george, oldTracker } = SEED.devices
const newKey = async (portal: Portal, as = ALICE) => (await portal.call(as, 'POST', '/devices/network_keys/', { label: 'Helium' })).body.key

describe('keys', () => {
  test('a key of the account reports for its trackers, wherever a console can put it', async () => {
    await using portal = await startNetworks()
    const key = await newKey(portal)
    const basic = Buffer.from(`network:${key}`).toString('base64')
    const rows: [string, Headers][] = [
      ['traccar', { 'x-device-key': key }],
      ['traccar', { authorization: `Bearer ${key}` }],
      ['traccar', { authorization: `Basic ${basic}` }],
      [`traccar?key=${key}`, {}],
    ]
    for (const [path, headers] of rows) expect(await post(portal, path, bodies.TRACCAR_POSITION, headers)).toMatchObject({ status: 200 })
    const { body } = await portal.call(ALICE, 'GET', '/devices/network_keys/')
    expect(body).toMatchObject([{ label: 'Helium', last_used_at: '2026-03-02T09:01:00Z' }])
  })

  test('a key of another account does not find the tracker', async () => {
    await using portal = await startNetworks()
    const key = await newKey(portal, 'admin@pro.example.com')
    expect(await post(portal, 'traccar', bodies.TRACCAR_POSITION, { 'x-device-key': key })).toMatchObject({
      status: 404,
      body: { code: 'unknown_tracker', errors: { imei: [expect.any(String)] } },
    })
  })

  test('a key of one tracker reports for that tracker only', async () => {
    await using portal = await startNetworks()
    const keyOf = async (device: number) => (await portal.call(ALICE, 'POST', `/devices/${device}/keys/`, {})).body.key
    const headers = { 'x-device-key': await keyOf(rex) }
    expect((await post(portal, 'traccar', bodies.TRACCAR_POSITION, headers)).status).toBe(200)
    expect((await post(portal, 'traccar', bodies.TRACCAR_POSITION, { 'x-device-key': await keyOf(misty) })).status).toBe(404)
  })

  test('a gateway key finds no tracker by a number that an owner entered without proof', async () => {
    await using portal = await startNetworks()
    const withName = (uniqueId: string) => ({ ...bodies.TRACCAR_POSITION, device: { ...bodies.TRACCAR_POSITION.device, uniqueId } })
    expect((await post(portal, 'traccar', withName(bodies.IMEI), GATEWAY)).status).toBe(404)
    expect((await post(portal, 'tts', bodies.TTS_UP, GATEWAY)).status).toBe(404)
    expect(await post(portal, 'traccar', withName('1000000001'), GATEWAY)).toMatchObject({ status: 200, body: { read: 'position' } })
  })

  test('a wrong or a revoked key is refused with 401', async () => {
    await using portal = await startNetworks()
    const key = await newKey(portal)
    const [{ id }] = (await portal.call(ALICE, 'GET', '/devices/network_keys/')).body
    await portal.call(ALICE, 'DELETE', `/devices/network_keys/${id}/`)
    for (const headers of [{}, { 'x-device-key': key }, { authorization: 'Bearer wrong' }] as Headers[])
      expect(await portal.call(null, 'POST', '/ingest/tts', bodies.TTS_UP, headers)).toMatchObject({
        status: 401,
        body: { code: 'invalid_device_key' },
      })
  })

  test('a key of an account is rejected by other endpoints', async () => {
    await using portal = await startNetworks()
    const headers = { 'x-device-key': await newKey(portal) }
    const message = { identifier: '1000000001', positions: [] }
    expect((await portal.call(null, 'POST', '/devices/ingest/', message, headers)).status).toBe(401)
  })

  test('an account has at most ten keys, and cannot revoke those of another', async () => {
    await using portal = await startNetworks()
    for (let n = 0; n < 10; n++) expect(await newKey(portal)).toMatch(/^[0-9a-f]{40}$/)
    expect(await portal.call(ALICE, 'POST', '/devices/network_keys/', {})).toMatchObject({ status: 409, body: { code: 'too_many_keys' } })
    expect((await portal.call('admin@pro.example.com', 'DELETE', '/devices/network_keys/1/')).status).toBe(404)
    expect((await portal.call('admin@pro.example.com', 'GET', '/devices/network_keys/')).body).toEqual([])
  })

  test('the response for a new key has the address of every network', async () => {
    await using portal = await startNetworks()
    const { body } = await portal.call(ALICE, 'POST', '/devices/network_keys/', {})
    expect(body.urls.chirpstack).toMatch(/^https?:\/\/.+\/ingest\/chirpstack$/)
    expect(Object.keys(body.urls)).toEqual(['traccar', 'chirpstack', 'helium', 'tts', 'thingpark', 'sigfox'])
  })
})

describe('numbers', () => {
  test('numbers are stored without blanks and dashes, and an empty one is removed', async () => {
    await using portal = await startPortal()
    const typed = { imei: '49-015420-323751-8', dev_eui: '70:b3:d5:7e:d0:05:a1:f2', sigfox: '001cfa02' }
    expect((await saveNumbers(portal, rex, typed)).body).toEqual(NUMBERS)
    expect((await saveNumbers(portal, rex, { ...typed, imei: ' ' })).body).toEqual({ ...NUMBERS, imei: null })
    expect((await portal.call(ALICE, 'GET', `/devices/${rex}/network_numbers/`)).body).toEqual({ ...NUMBERS, imei: null })
  })

  test('malformed numbers are refused by field', async () => {
    await using portal = await startPortal()
    const { status, body } = await saveNumbers(portal, rex, { imei: '490154203237519', dev_eui: '70B3', sigfox: 'no' })
    expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'validation_error', ['imei', 'dev_eui', 'sigfox']])
  })

  test('a number of another tracker is refused without revealing its owner', async () => {
    await using portal = await startNetworks()
    const refused = { detail: 'identifier taken', code: 'identifier_taken', errors: { dev_eui: ['Another tracker has it'] } }
    const numbers = { dev_eui: bodies.DEV_EUI.toLowerCase() }
    expect(await saveNumbers(portal, misty, numbers)).toMatchObject({ status: 409, body: refused })
    const stranger = await saveNumbers(portal, george, numbers, 'george@example.com')
    expect([stranger.status, stranger.body]).toEqual([409, refused])
  })

  test('the numbers of a removed tracker can be used again', async () => {
    await using portal = await startPortal()
    await saveNumbers(portal, oldTracker)
    expect((await portal.call(ALICE, 'DELETE', `/devices/${oldTracker}/`)).status).toBe(200)
    expect((await saveNumbers(portal, familyCar)).status).toBe(200)
  })
})
