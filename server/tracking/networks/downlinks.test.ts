import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { devices } from '#db/schema/devices.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { queryValue } from '#server/test/test-database.ts'
import { followRoute, sendInterrupted, sendLater } from './downlinks.ts'
import * as bodies from './test-bodies.ts'
import { ALICE, type Headers, type Portal, post, saveNumbers, startNetworks } from './test-networks.ts'

const { rex } = SEED.devices
const HOOK = 'https://eu1.cloud.thethings.network/api/v3/as/applications/dogs/webhooks/portal/devices/rex/down'
const WAY_BACK = { 'x-downlink-push': `${HOOK}/push`, 'x-downlink-replace': `${HOOK}/replace`, 'x-downlink-apikey': 'NNSXS.KEY' }

/** A portal to which a network posts with a key of the account. */
async function startDownlinks() {
  const portal = await startNetworks()
  await saveNumbers(portal, rex)
  const { key } = (await portal.call(ALICE, 'POST', '/devices/network_keys/', {})).body
  const send = (path: string, body: unknown, headers: Headers = {}) => post(portal, path, body, { 'x-device-key': key, ...headers })
  return { portal, send, [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose]() }
}

/** Waits for calls to networks; newest first, with the correlation ids of the message. */
async function wait(portal: Portal, count: number) {
  const { body } = await portal.call(null, 'POST', '/mock/downlinks/wait', { count })
  return { calls: body, call: body[0], ids: body[0]?.body.downlinks?.[0].correlation_ids }
}
const config = async (portal: Portal) => (await portal.call(ALICE, 'GET', `/devices/${rex}/tracker_config/`)).body
const setMode = (portal: Portal, mode: number) => portal.call(ALICE, 'PATCH', `/devices/${rex}/tracker_config/`, { mode })
const ttsUplink = (f_cnt: number) => ({ ...bodies.TTS_UP, uplink_message: { f_cnt, received_at: '2026-03-02T09:00:50Z' } })
const ttsEvent = (kind: string, ids: string[]) => ({
  end_device_ids: { device_id: 'rex', dev_eui: bodies.DEV_EUI },
  correlation_ids: ['as:downlink:1', ...ids],
  received_at: '2026-03-02T09:01:00Z',
  [kind]: { f_port: 10, f_cnt: 3, frm_payload: 'Fg==' },
})

test('The Things Stack receives a requested mode at once, and it applies when the network reports its delivery', async () => {
  await using page = await startDownlinks()
  const { portal, send } = page
  await send('tts', bodies.TTS_UP, WAY_BACK)
  const { mode } = await config(portal)
  await setMode(portal, 22)
  const { call, ids } = await wait(portal, 1)
  expect(call).toMatchObject({ url: `${HOOK}/replace`, token: 'NNSXS.KEY' })
  expect(call.body.downlinks).toMatchObject([{ f_port: 10, frm_payload: Buffer.of(22).toString('base64') }])
  await send('tts', ttsUplink(99), WAY_BACK)
  await send('tts', ttsEvent('downlink_queued', ids))
  await send('tts', ttsEvent('downlink_sent', ['of another application']))
  expect(await config(portal)).toMatchObject({ mode, pending_mode: 22, mode_state: 'sending' })
  await send('tts', ttsEvent('downlink_sent', ids))
  expect(await config(portal)).toMatchObject({ mode: 22, pending_mode: null, mode_state: 'applied' })
  expect((await wait(portal, 1)).calls).toHaveLength(1)
})

test("ChirpStack receives a mode through the account's server, and its txack names the queue item", async () => {
  await using page = await startDownlinks()
  const { portal, send } = page
  const saved = await portal.call(ALICE, 'PUT', '/devices/network_server/', { url: 'https://chirpstack.example.com', token: 'tenant' })
  expect(saved.body).toMatchObject({ server: 'https://chirpstack.example.com/' })
  await setMode(portal, 22)
  await send('chirpstack?event=up', bodies.CHIRPSTACK_UP)
  const { call } = await wait(portal, 1)
  expect(call).toMatchObject({
    url: `https://chirpstack.example.com/api/devices/${bodies.DEV_EUI.toLowerCase()}/queue`,
    token: 'tenant',
    body: { queueItem: { fPort: 10, confirmed: false, data: Buffer.of(22).toString('base64') } },
  })
  expect(await config(portal)).toMatchObject({ pending_mode: 22 })
  await expect.poll(() => queryValue(portal.world.db, 'select message_id from downlinks')).toBe('queue-item-1')
  await send('chirpstack?event=txack', bodies.chirpstack4({ queueItemId: 'queue-item-1', fCntDown: 4 }))
  expect(await config(portal)).toMatchObject({ mode: 22, pending_mode: null })
  expect((await portal.call(ALICE, 'DELETE', '/devices/network_server/')).body).toMatchObject({ server: null })
  await setMode(portal, 21)
  await send('chirpstack?event=up', { ...bodies.CHIRPSTACK_UP, deduplicationId: 'f0f1c7f0-3b0e-4b8a-8a7e-7a0000000009' })
  expect(await config(portal)).toMatchObject({ mode: 21, pending_mode: null })
})

test('ChirpStack 3 receives a mode as a queue item, and its events name the frame counter', async () => {
  await using page = await startDownlinks()
  const { portal, send } = page
  await portal.call(ALICE, 'PUT', '/devices/network_server/', { url: 'https://chirpstack.example.com', token: 'tenant' })
  const event = (kind: string, content: object) => send(`chirpstack?event=${kind}`, { devEUI: bodies.DEV_EUI.toLowerCase(), ...content })
  const messageId = () => queryValue(portal.world.db, 'select message_id from downlinks')
  await setMode(portal, 22)
  await send('chirpstack?event=up', bodies.CHIRPSTACK3_UP)
  expect((await wait(portal, 1)).call).toMatchObject({
    url: `https://chirpstack.example.com/api/devices/${bodies.DEV_EUI.toLowerCase()}/queue`,
    body: { deviceQueueItem: { fPort: 10, confirmed: false, data: Buffer.of(22).toString('base64') } },
  })
  await expect.poll(messageId).toBe('fCnt 1')
  await event('error', { type: 'UPLINK_FCNT_RESET', error: 'reset', fCnt: 1 })
  expect(await messageId()).toBe('fCnt 1')
  await event('error', { type: 'DOWNLINK_FCNT', error: 'used already', fCnt: 1 })
  await send('chirpstack?event=up', { ...bodies.CHIRPSTACK3_UP, fCnt: 11, rxInfo: [], publishedAt: '2026-03-02T09:00:40Z' })
  await wait(portal, 2)
  await expect.poll(messageId).toBe('fCnt 2')
  await event('txack', { fCnt: 1 })
  expect(await config(portal)).toMatchObject({ pending_mode: 22 })
  await event('txack', { fCnt: 2, gatewayID: 'AwMDAwMDAwM=' })
  expect(await config(portal)).toMatchObject({ mode: 22, pending_mode: null })
})

test('a call that the network rejects, and a mode that it could not deliver, are sent again after the next uplink', async () => {
  await using page = await startDownlinks()
  const { portal, send } = page
  const up = (count: number, headers: Headers) => send('tts', ttsUplink(count), headers)
  const sent = () => queryValue(portal.world.db, 'select mode from downlinks')
  await setMode(portal, 22)
  await up(1, { ...WAY_BACK, 'x-downlink-apikey': 'revoked' })
  expect((await wait(portal, 1)).calls).toMatchObject([{ accepted: false }])
  await expect.poll(sent).toBeNull()
  await up(2, WAY_BACK)
  const { ids } = await wait(portal, 2)
  await send('tts', ttsEvent('downlink_nack', ids))
  expect(await config(portal)).toMatchObject({ pending_mode: 22 })
  await up(3, WAY_BACK)
  expect((await wait(portal, 3)).calls).toHaveLength(3)
})

test('the mode of a killed server is sent by another server a minute later, and the first one changes nothing when it resumes', async () => {
  await using page = await startDownlinks()
  const { portal, send } = page
  const { db, downlinks, clock } = portal.world
  // An uplink would send the mode too, at some time after its response.
  await followRoute(portal.world, rex, { network: 'tts', url: `${HOOK}/replace`, token: 'NNSXS.KEY' })
  await db.write('everything', (tx) => tx.update(devices).set({ pendingMode: 22 }).where(eq(devices.id, rex)))
  let wake = () => {}
  const stuck = new Promise<never>((_, reject) => {
    wake = () => reject(new Error('It was paused.'))
  })
  let isAwake = false
  const warn = () => {
    isAwake = true
  }
  sendLater({ ...portal.world, downlinks: { ...downlinks!, post: () => stuck }, log: { ...portal.world.log, warn } }, rex)
  await expect.poll(() => queryValue(db, 'select mode from downlinks')).toBe(22)

  await sendInterrupted(portal.world)
  expect((await portal.call(null, 'GET', '/mock/downlinks/')).body).toEqual([])
  clock.set({ at: new Date(clock.now().getTime() + 60_000) })
  await Promise.all([sendInterrupted(portal.world), sendInterrupted(portal.world)])
  const { calls, call, ids } = await wait(portal, 1)
  expect(calls).toHaveLength(1)
  expect(call.body.downlinks).toMatchObject([{ frm_payload: Buffer.of(22).toString('base64') }])
  wake()
  await expect.poll(() => isAwake).toBe(true)
  await sendInterrupted(portal.world)
  await send('tts', ttsEvent('downlink_sent', ids))
  expect(await config(portal)).toMatchObject({ mode: 22, pending_mode: null })
})

test('a mode that the network accepted and that could not be saved is saved later, and not sent again', async () => {
  await using page = await startDownlinks()
  const { portal, send } = page
  const { db, downlinks, clock } = portal.world
  await followRoute(portal.world, rex, { network: 'tts', url: `${HOOK}/replace`, token: 'NNSXS.KEY' })
  await db.write('everything', (tx) => tx.update(devices).set({ pendingMode: 22 }).where(eq(devices.id, rex)))
  let isFull = false
  const errors: string[] = []
  const world = {
    ...portal.world,
    db: {
      ...db,
      write: ((...args: unknown[]) => (isFull ? Promise.reject(new Error('disk full')) : Reflect.apply(db.write, null, args))) as never,
    },
    downlinks: {
      ...downlinks!,
      post: async (call: Parameters<NonNullable<typeof downlinks>['post']>[0]) => {
        const response = await downlinks!.post(call)
        isFull = true
        return response
      },
    },
    log: { ...portal.world.log, error: (_: object, message: string) => void errors.push(message) },
  }
  sendLater(world, rex)
  const { ids } = await wait(portal, 1)
  await expect.poll(() => errors).toEqual(['a downlink failed'])
  clock.set({ at: new Date(clock.now().getTime() + 120_000) })
  isFull = false
  await sendInterrupted(world)
  await sendInterrupted(world)
  expect((await wait(portal, 1)).calls).toHaveLength(1)
  await send('tts', ttsEvent('downlink_sent', ids))
  expect(await config(portal)).toMatchObject({ mode: 22, pending_mode: null })
})

test("a cancelled mode that the network has is followed by the tracker's current mode", async () => {
  await using page = await startDownlinks()
  const { portal, send } = page
  await send('tts', bodies.TTS_UP, WAY_BACK)
  const { mode } = await config(portal)
  await setMode(portal, 22)
  await wait(portal, 1)
  await setMode(portal, mode)
  const { call } = await wait(portal, 2)
  expect(call.body.downlinks).toMatchObject([{ frm_payload: Buffer.of(mode).toString('base64') }])
})

test.each([
  'https://127.0.0.1/down/push',
  'http://eu1.cloud.thethings.network/down/push',
  'https://eu1.cloud.thethings.network:8443/down/push',
  'https://user@eu1.cloud.thethings.network/down/push',
  'https://eu1.cloud.thethings.network.example.com/down/push',
  'file:///etc/passwd',
])('nothing is sent to %s, which the operator does not allow', async (url) => {
  await using page = await startDownlinks()
  const { portal, send } = page
  await setMode(portal, 22)
  await send('tts', bodies.TTS_UP, { 'x-downlink-push': url, 'x-downlink-apikey': 'NNSXS.KEY' })
  expect((await portal.call(null, 'GET', '/mock/downlinks')).body).toEqual([])
  const refused = await portal.call(ALICE, 'PUT', '/devices/network_server/', { url, token: 'x' })
  expect(refused).toMatchObject({ status: 400, body: { code: 'validation_error' } })
})
