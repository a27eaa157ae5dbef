import { describe, expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import * as bodies from './test-bodies.ts'
import { ALICE, countPositions, GATEWAY, PLACE, post, registerTracker, saveNumbers, startNetworks, statusOf } from './test-networks.ts'

const { rex, misty, familyCar } = SEED.devices
const AT = '2026-03-02T09:00:30Z'

describe('uplinks with a position', () => {
  const rows: [name: string, path: string, body: object, position: object, battery: number | undefined][] = [
    ['ChirpStack 4', 'chirpstack?event=up', bodies.CHIRPSTACK_UP, { precision: 9 }, 79],
    ['ChirpStack 4 with a Cayenne payload', 'chirpstack?event=up', bodies.CHIRPSTACK_RAW, { precision: 25 }, undefined],
    ['ChirpStack 3', 'chirpstack?event=up', bodies.CHIRPSTACK3_UP, { precision: 25 }, 79],
    [
      'a location event of ChirpStack',
      'chirpstack?event=location',
      bodies.chirpstack4({ location: { latitude: -34.9, longitude: -56.15, accuracy: 150 } }),
      { precision: 150 },
      undefined,
    ],
    [
      'a location event of ChirpStack 3',
      'chirpstack?event=location',
      bodies.chirpstack3({ location: { latitude: -34.9, longitude: -56.15, altitude: 12, accuracy: 150 }, publishedAt: AT }),
      { precision: 150 },
      undefined,
    ],
    ['Helium on ChirpStack', 'helium?event=up', bodies.CHIRPSTACK_UP, { precision: 9 }, 79],
    ['the former console of Helium', 'helium', bodies.HELIUM_CONSOLE, { precision: 9 }, 79],
    ['The Things Stack', 'tts', bodies.TTS_UP, { precision: 5, datetime: '2026-03-02T09:00:29Z' }, 79],
    ['a location of The Things Stack', 'tts', bodies.TTS_LOCATED, { precision: 120 }, undefined],
    ['ThingPark', 'thingpark', bodies.THINGPARK_UP, { precision: 90 }, 79],
    ['a computed location of Sigfox', 'sigfox', bodies.SIGFOX_ADVANCED, { precision: 1983 }, undefined],
    ['variables of Sigfox', 'sigfox', bodies.SIGFOX_DECODED, { precision: 25 }, 79],
    ['a position of Traccar', 'traccar', bodies.TRACCAR_POSITION, { precision: 9 }, 79],
    ['an alarm of Traccar', 'traccar', bodies.TRACCAR_EVENT, { precision: 9 }, 79],
  ]
  test.each(rows)('%s moves the tracker that has the number', async (_, path, body, position, battery) => {
    await using portal = await startNetworks()
    const before = await statusOf(portal)
    const response = await post(portal, path, body)
    expect([response.status, response.body?.read]).toEqual(path === 'sigfox' ? [204, undefined] : [200, 'position'])
    const status = await statusOf(portal)
    expect(status.last_position).toMatchObject({ ...PLACE, datetime: AT, ...position })
    expect(status.battery).toBe(battery ?? before.battery)
  })

  test('speed, course and altitude of Traccar are stored in the units of the portal', async () => {
    await using portal = await startNetworks()
    await post(portal, 'traccar', bodies.TRACCAR_POSITION)
    const { body } = await portal.call(ALICE, 'GET', `/devices/${rex}/tracker_data/?not_before=${AT}&not_after=${AT}`)
    expect(body.results).toMatchObject([{ speed: 18.5, course: 63, altitude: 36 }])
  })

  test('an sos alarm of Traccar becomes the button event', async () => {
    await using portal = await startNetworks()
    await saveNumbers(portal, rex, {})
    await registerTracker(portal, misty)
    const { lat: latitude, lng: longitude } = (await statusOf(portal, misty)).last_position
    await post(portal, 'traccar', { ...bodies.TRACCAR_EVENT, position: { ...bodies.TRACCAR_EVENT.position, latitude, longitude } })
    expect((await statusOf(portal, misty)).last_event).toEqual({ type: 'button', datetime: AT })
  })

  test('an sos alarm of Traccar with its last known position is the button event, and moves nothing', async () => {
    await using portal = await startNetworks()
    const { last_position } = await statusOf(portal)
    const position = { ...bodies.TRACCAR_EVENT.position, outdated: true, attributes: { alarm: 'sos' } }
    await post(portal, 'traccar', { ...bodies.TRACCAR_EVENT, position })
    expect(await statusOf(portal)).toMatchObject({ last_position, last_event: { type: 'button', datetime: AT } })
  })

  test('Traccar may name a tracker by its identifier, its serial or its DevEUI', async () => {
    await using portal = await startNetworks()
    for (const uniqueId of ['1000000001', 'ALICE0000001', bodies.DEV_EUI.toLowerCase()])
      expect(await post(portal, 'traccar', { ...bodies.TRACCAR_POSITION, device: { uniqueId } })).toMatchObject({ status: 200 })
  })

  test('a tracker that measures millivolts uses the voltage and no percentage', async () => {
    await using portal = await startNetworks()
    await saveNumbers(portal, rex, {})
    await registerTracker(portal, familyCar)
    await post(portal, 'helium', bodies.HELIUM_CONSOLE)
    const before = (await statusOf(portal, familyCar)).battery
    await post(portal, 'chirpstack?event=up', { ...bodies.CHIRPSTACK_UP, object: { battery_voltage: 3.61 } })
    expect([before > 1000, (await statusOf(portal, familyCar)).battery]).toEqual([true, 3610])
  })
})

test('an uplink has the time at which the server received it, whatever the clock of a gateway says', async () => {
  const { lat: latitude, lng: longitude } = PLACE
  const object = { latitude, longitude }
  const wrong = [
    '1970-01-01T00:00:01Z',
    '2045-01-01T00:00:00Z',
    '2026-03-02T05:00:30Z',
    '2026-03-02T12:00:30Z',
    '2006-07-17T09:00:30Z',
    'noon',
  ]
  const formats: [name: string, path: string, build: (time: string) => object][] = [
    [
      'The Things Stack',
      'tts',
      (time) => bodies.tts({ uplink_message: { f_cnt: 1, received_at: AT, rx_metadata: [{ time }], decoded_payload: object } }),
    ],
    ['ChirpStack 4', 'chirpstack?event=up', (time) => ({ ...bodies.CHIRPSTACK_UP, time, rxInfo: [{ gwTime: time, nsTime: AT }], object })],
    [
      'ChirpStack 3',
      'chirpstack?event=up',
      (time) => ({ ...bodies.CHIRPSTACK3_UP, rxInfo: [{ time, uplinkID: 'u1' }], publishedAt: AT, objectJSON: JSON.stringify(object) }),
    ],
    [
      'Helium',
      'helium?event=up',
      (time) => ({ ...bodies.CHIRPSTACK_UP, time, rxInfo: [{ nsTime: 'never' }, { time, nsTime: AT }], object }),
    ],
  ]
  const rows = formats.flatMap(([name, path, build]) => wrong.map((time) => [name, time, path, build] as const))
  expect(
    await collectFailures(
      rows,
      ([name, time]) => `${name}, ${time}`,
      async ([, time, path, build]) => {
        await using portal = await startNetworks()
        expect((await post(portal, path, build(time))).status).toBe(200)
        expect((await statusOf(portal)).last_position).toMatchObject({ ...PLACE, datetime: AT })
      },
    ),
  ).toEqual([])
})

test('without any plausible time, an uplink has the time at which the portal received it', async () => {
  const now = '2026-03-02T09:01:00Z'
  const rows: [path: string, body: object][] = [
    ['chirpstack?event=up', { ...bodies.CHIRPSTACK_UP, time: '1970-01-01T00:00:01Z', rxInfo: [] }],
    ['helium', { ...bodies.HELIUM_CONSOLE, reported_at: 1 }],
    [
      'thingpark',
      {
        DevEUI_uplink: { ...bodies.THINGPARK_UP.DevEUI_uplink, Time: '2045-01-01T00:00:00.000+02:00', DevLocTime: '1970-01-01T00:00:00Z' },
      },
    ],
    ['sigfox', { ...bodies.SIGFOX_DECODED, time: '0' }],
  ]
  expect(
    await collectFailures(
      rows,
      ([path]) => path,
      async ([path, body]) => {
        await using portal = await startNetworks()
        await post(portal, path, body)
        expect((await statusOf(portal)).last_position).toMatchObject({ ...PLACE, datetime: now })
      },
    ),
  ).toEqual([])
})

describe('uplinks without a position', () => {
  const rows: [name: string, path: string, body: object, read: string, battery?: number][] = [
    ['a join', 'chirpstack?event=join', bodies.chirpstack4({}), 'message'],
    ['a status', 'chirpstack?event=status', bodies.chirpstack4({ margin: 10, batteryLevel: 88.3 }), 'message', 88],
    ['an acknowledgement', 'chirpstack?event=ack', bodies.chirpstack4({ acknowledged: true, fCntDown: 3 }), 'message'],
    ['a sent downlink', 'chirpstack?event=txack', bodies.chirpstack4({ downlinkId: 3461958127 }), 'nothing'],
    ['a log entry', 'chirpstack?event=log', bodies.chirpstack4({ level: 'ERROR', code: 'UPLINK_MIC' }), 'nothing'],
    ['an integration event', 'helium?event=integration', bodies.chirpstack4({ integrationName: 'loracloud', object: {} }), 'nothing'],
    ['a join of ChirpStack 3', 'chirpstack?event=join', bodies.chirpstack3({ devAddr: 'AFE5Qg==', rxInfo: [], dr: 5 }), 'message'],
    [
      'a status of ChirpStack 3',
      'chirpstack?event=status',
      bodies.chirpstack3({ battery: 182, margin: 10, batteryLevel: 71.65 }),
      'message',
      72,
    ],
    ['an old status of ChirpStack 3', 'chirpstack?event=status', bodies.chirpstack3({ battery: 127, margin: 10 }), 'message', 50],
    ['an acknowledgement of ChirpStack 3', 'chirpstack?event=ack', bodies.chirpstack3({ acknowledged: true, fCnt: 15 }), 'message'],
    ['a sent downlink of ChirpStack 3', 'chirpstack?event=txack', bodies.chirpstack3({ gatewayID: 'AwMDAwMDAwM=', fCnt: 12 }), 'nothing'],
    ['an error of ChirpStack 3', 'chirpstack?event=error', bodies.chirpstack3({ type: 'OTAA', error: 'DevNonce', fCnt: 0 }), 'nothing'],
    ['an uplink with another payload', 'chirpstack?event=up', { ...bodies.CHIRPSTACK_UP, object: { temperature: 21.5 } }, 'message'],
    ['an uplink at 0,0', 'chirpstack?event=up', { ...bodies.CHIRPSTACK_UP, object: { latitude: 0, longitude: 0 } }, 'message'],
    ['a join of The Things Stack', 'tts', bodies.tts({ join_accept: { session_key_id: 'AXBS', received_at: AT } }), 'message'],
    ['a queued downlink', 'tts', bodies.tts({ downlink_queued: { f_port: 1, frm_payload: 'AA==' } }), 'nothing'],
    ['a join of ThingPark', 'thingpark', bodies.THINGPARK_JOIN, 'message'],
    [
      'a battery status of ThingPark',
      'thingpark',
      { DevEUI_notification: { ...bodies.THINGPARK_JOIN.DevEUI_notification, Type: 'devstatusans', Var1: '127' } },
      'message',
      50,
    ],
    ['an event of the Traccar server', 'traccar', bodies.TRACCAR_OFFLINE, 'nothing'],
    [
      'an invalid position of Traccar',
      'traccar',
      { ...bodies.TRACCAR_POSITION, position: { ...bodies.TRACCAR_POSITION.position, valid: false, attributes: {} } },
      'message',
    ],
  ]
  test.each(rows)('%s is accepted, applies a pending mode if the tracker sent it, and leaves the position unchanged', async (...row) => {
    const [, path, body, read, battery] = row
    await using portal = await startNetworks()
    const before = await statusOf(portal)
    await portal.call(ALICE, 'PATCH', `/devices/${rex}/tracker_config/`, { mode: 23 })
    expect(await post(portal, path, body)).toMatchObject({ status: 200, body: { read } })
    const after = await statusOf(portal)
    expect([after.last_position, after.battery]).toEqual([before.last_position, battery ?? before.battery])
    const config = (await portal.call(ALICE, 'GET', `/devices/${rex}/tracker_config/`)).body
    expect(config.pending_mode).toBe(read === 'message' ? null : 23)
  })

  test('a repeated uplink is ignored, even if its body differs', async () => {
    await using portal = await startNetworks()
    const before = await countPositions(portal)
    await post(portal, 'chirpstack?event=up', bodies.CHIRPSTACK_UP)
    const again = { ...bodies.CHIRPSTACK_UP, time: '2026-03-02T09:00:45Z', object: { latitude: -34.8, longitude: -56.1 } }
    expect((await post(portal, 'chirpstack?event=up', again)).body).toEqual({ read: 'repeated' })
    expect([await countPositions(portal), (await statusOf(portal)).last_position.lat]).toEqual([before + 1, -34.9])
  })

  test('a position that Traccar sends again is read as repeated, and one in the future as a message', async () => {
    await using portal = await startNetworks()
    const before = await countPositions(portal)
    const reads: string[] = []
    for (const fixTime of [AT, AT, '2027-03-02T09:00:30Z']) {
      const position = { ...bodies.TRACCAR_POSITION.position, fixTime }
      reads.push((await post(portal, 'traccar', { ...bodies.TRACCAR_POSITION, position })).body.read)
    }
    expect(reads).toEqual(['position', 'repeated', 'message'])
    expect(await countPositions(portal)).toBe(before + 1)
  })
})

describe('bodies that are not understood', () => {
  const rows: [path: string, body: unknown, field: string][] = [
    ['chirpstack?event=up', { ...bodies.CHIRPSTACK_UP, deviceInfo: {} }, 'deviceInfo.devEui'],
    ['chirpstack?event=up', bodies.chirpstack4({ deviceInfo: { devEui: '12' } }), 'deviceInfo.devEui'],
    ['chirpstack?event=up', {}, 'deviceInfo.devEui'],
    ['chirpstack?event=up', { ...bodies.CHIRPSTACK3_UP, devEUI: 'AgI=' }, 'devEUI'],
    ['chirpstack?event=of_tomorrow', bodies.CHIRPSTACK_UP, 'event'],
    ['chirpstack', bodies.chirpstack4({}), 'event'],
    ['chirpstack?event=location', bodies.chirpstack4({}), 'location'],
    ['chirpstack?event=up', { ...bodies.CHIRPSTACK3_UP, objectJSON: '{' }, 'objectJSON'],
    ['helium', { hello: 1 }, 'dev_eui'],
    ['tts', bodies.tts({}), 'body'],
    ['tts', { uplink_message: {} }, 'end_device_ids'],
    ['thingpark', { DevEUI_of_tomorrow: {} }, 'body'],
    ['thingpark', { DevEUI_uplink: {} }, 'DevEUI'],
    ['sigfox', { time: 1 }, 'device'],
    ['traccar', { device: { uniqueId: bodies.IMEI } }, 'position'],
    ['traccar', { position: bodies.TRACCAR_POSITION.position }, 'device'],
    ['traccar', { ...bodies.TRACCAR_POSITION, position: { latitude: 'north' } }, 'position.latitude'],
    ['traccar', [bodies.TRACCAR_POSITION], 'body'],
  ]
  test('each invalid body is refused with 400 and the field', async () => {
    await using portal = await startNetworks()
    expect(
      await collectFailures(
        rows,
        ([path, body]) => `${path} ${JSON.stringify(body).slice(0, 60)}`,
        async ([path, body, field]) => {
          const response = await post(portal, path, body)
          expect([response.status, response.body.code]).toEqual([400, 'validation_error'])
          expect(Object.keys(response.body.errors)).toContain(field)
        },
      ),
    ).toEqual([])
  })

  test('text that is not JSON is refused with 400, and a body above 256 KB with 413', async () => {
    await using portal = await startNetworks()
    expect(await post(portal, 'tts', '{"end_device_ids":')).toMatchObject({ status: 400, body: { code: 'malformed_json' } })
    expect(await post(portal, 'tts', { more: 'x'.repeat(300_000) })).toMatchObject({ status: 413, body: { code: 'too_large' } })
  })
})

test('a world has its own numbers, keys and uplinks', async () => {
  await using portal = await startNetworks()
  const other = await portal.worlds.create({ id: 'other', seed: 1 })
  const response = await post(portal, 'traccar', bodies.TRACCAR_POSITION, { ...GATEWAY, 'x-world': other.id })
  expect(response).toMatchObject({ status: 404, body: { code: 'unknown_tracker' } })
})
