import { expect, test } from 'vitest'
import { DAY_MS } from '#contracts/rules/time.ts'
import { createTestWorld, fix, NOW } from '#server/tracking/test-world.ts'
import { ingest } from './ingest.ts'

const DAY = 24 * 60

test('R-4.3 a pending mode is applied by the next uplink, even one without positions', async () => {
  using portal = await createTestWorld({ pendingMode: 22 })
  const response = await ingest(portal.world, { identifier: '10000000-01', positions: [] })
  expect(response).toEqual({ accepted: 0, ignored: 0 })
  const device = await portal.device()
  expect(device).toMatchObject({ mode: 22, pendingMode: null, lastEvent: 'mode_applied', lastMessageAt: NOW })
  expect(portal.heard.map((event) => event.type)).toEqual(['mode', 'status'])
  expect(JSON.parse(portal.heard[0]!.data)).toMatchObject({
    device: 1,
    tracker_config: { mode: 22, pending_mode: null, mode_state: 'applied' },
  })
})

test('R-4.4 a pending lost mode is applied by the next uplink', async () => {
  using portal = await createTestWorld({ pendingMode: 27 })
  await portal.say(0, 0)
  expect(await portal.device()).toMatchObject({ mode: 27, pendingMode: null })
})

test('an uplink saves position, address, battery and the time of the last message', async () => {
  using portal = await createTestWorld()
  expect(await portal.say(0, 5, { battery: 71 })).toEqual({ accepted: 1, ignored: 0 })
  const at = new Date(NOW.getTime() + 5 * 60_000)
  expect(await portal.device()).toMatchObject({
    battery: 71,
    lat: -349_000_000,
    precision: 10,
    positionAt: at,
    address: 'Street -34.9000',
    lastMessageAt: at,
    onlineSince: at,
    lastEvent: 'position',
  })
})

test('a second position for the same second is ignored', async () => {
  using portal = await createTestWorld()
  await portal.say(0, 1)
  expect(await ingest(portal.world, { serial: 'serial 000001', positions: [fix(500, 1), fix(600, 0)] })).toEqual({
    accepted: 1,
    ignored: 1,
  })
  expect(await portal.world.positions.count(1, 0, 2 ** 31)).toBe(2)
})

test('an older position is stored but does not replace the last one', async () => {
  using portal = await createTestWorld()
  await portal.say(1000, 10)
  await portal.say(0, 10, { positions: [fix(0, 2)] })
  expect((await portal.device()).positionAt).toEqual(new Date(fix(0, 10).datetime))
  expect(await portal.world.positions.oldest(1)).toBe(Date.parse(fix(0, 2).datetime) / 1000)
  expect(portal.heard.map((event) => event.type)).toEqual(['position', 'status'])
})

test('positions with an implausible time are refused with a reason while the others are accepted', async () => {
  using portal = await createTestWorld({ pendingMode: 22 })
  const [early, old] = [fix(0, 5), { ...fix(0, 0), datetime: '1999-12-31T23:59:59Z' }]
  expect(await portal.say(0, 0, { positions: [fix(0, 11), fix(0, -1), old, fix(0, -1), early, fix(0, 10)] })).toEqual({
    accepted: 3,
    ignored: 1,
    refused: [
      { index: 0, reason: 'in_the_future' },
      { index: 2, reason: 'too_old' },
    ],
  })
  expect([await portal.world.positions.count(1, 0, 2 ** 31), (await portal.device()).mode]).toEqual([3, 22])
})

test('a message whose positions are all refused still counts as an uplink', async () => {
  using portal = await createTestWorld({ pendingMode: 22 })
  const response = await portal.say(0, 0, { positions: [fix(0, 60)] })
  expect(response).toEqual({ accepted: 0, ignored: 0, refused: [{ index: 0, reason: 'in_the_future' }] })
  expect(await portal.device()).toMatchObject({ mode: 22, positionAt: null, lastMessageAt: NOW })
})

test('of two positions for the same second in one message the first is stored', async () => {
  using portal = await createTestWorld()
  const half = { ...fix(300, 0), datetime: fix(0, 0).datetime.replace('00Z', '00.900Z') }
  expect(await portal.say(0, 0, { positions: [fix(0, 0), fix(900, 0), half] })).toEqual({ accepted: 1, ignored: 2 })
  expect((await portal.device()).lat).toBe(-349_000_000)
})

test('an older position changes neither motion nor last event', async () => {
  using portal = await createTestWorld()
  for (const minutes of [0, 4, 10]) await portal.say(0, minutes)
  const before = await portal.device()
  expect(await portal.say(0, 10, { positions: [fix(5000, 6, { event: 'moving' })] })).toEqual({ accepted: 1, ignored: 0 })
  expect(await portal.device()).toEqual(before)
})

test('positions are stored with any subscription state', async () => {
  for (const state of [{ subState: 'not_activated' }, { subState: 'none' }, { subEndDate: new Date(0) }] as const) {
    using portal = await createTestWorld(state)
    expect(await portal.say(0, 0)).toEqual({ accepted: 1, ignored: 0 })
  }
})

test.each([
  ['tracker_01', 101],
  ['tracker_02', 10_001],
  ['tracker_01', -2],
] as const)('R-3.23 a %s with a battery of %i is refused and changes nothing', async (type, battery) => {
  using portal = await createTestWorld({ type, pendingMode: 22 })
  await expect(portal.say(0, 0, { battery })).rejects.toMatchObject({
    code: 'validation_error',
    extras: { errors: { battery: [expect.any(String)] } },
  })
  expect(await portal.device()).toMatchObject({ mode: 21, lastMessageAt: null, positionAt: null })
})

test('R-3.27 a negative battery means unknown', async () => {
  using portal = await createTestWorld({ battery: 50 })
  await portal.say(0, 0, { battery: -0.3 })
  expect((await portal.device()).battery).toBe(-1)
})

test('a message with unknown or contradicting numbers is rejected as unknown tracker', async () => {
  using portal = await createTestWorld()
  await expect(ingest(portal.world, { identifier: '9999999999', positions: [] })).rejects.toMatchObject({ code: 'unknown_tracker' })
  await expect(ingest(portal.world, { identifier: 'nonsense', positions: [] })).rejects.toMatchObject({ code: 'unknown_tracker' })
  const mixed = { identifier: '1000000001', serial: 'SERIAL000002', positions: [] }
  await expect(ingest(portal.world, mixed)).rejects.toMatchObject({ code: 'unknown_tracker' })
})

test('R-4.9 after more than 90 days of silence the network stays deactivated despite uplinks', async () => {
  using portal = await createTestWorld({ lastMessageAt: new Date(NOW.getTime() - 90 * DAY_MS - 1) })
  await portal.say(0, 0)
  await portal.say(0, 1)
  expect(await portal.device()).toMatchObject({ networkState: 'deactivated', onlineSince: NOW })
  expect(portal.heard.map((event) => event.type)).toEqual(['network', 'position', 'position'])
})

test('R-4.9 after exactly 90 days of silence the network is still active', async () => {
  using portal = await createTestWorld({ lastMessageAt: new Date(NOW.getTime() - 90 * DAY_MS) })
  await portal.say(0, 0)
  expect((await portal.device()).networkState).toBe('active')
})

test('R-3.10 onlineSince starts over only after more than two days of silence', async () => {
  using portal = await createTestWorld()
  await portal.say(0, 0)
  await portal.say(0, 2 * DAY)
  expect((await portal.device()).onlineSince).toEqual(NOW)
  await portal.say(0, 5 * DAY)
  expect((await portal.device()).onlineSince).toEqual(new Date(NOW.getTime() + 5 * DAY_MS))
})

test('a low battery is reported once when the level falls below 15 percent', async () => {
  using portal = await createTestWorld({ battery: 15 })
  for (const [minute, battery] of [15, 14, 13].entries()) await portal.say(0, minute, { battery, positions: [] })
  expect(await portal.device()).toMatchObject({ battery: 13, lastEvent: 'low_battery' })
  expect(portal.heard.filter((event) => event.type === 'alert').map((event) => JSON.parse(event.data).type)).toEqual(['low_battery'])
})

test.each([
  [3300, 0],
  [3299, 1],
  [-1, 0],
])('R-3.25 a tracker_02 at %i mV reports a low battery %i times', async (battery, times) => {
  using portal = await createTestWorld({ type: 'tracker_02', battery: 3650 })
  await portal.say(0, 0, { battery, positions: [] })
  expect(portal.heard.filter((event) => event.type === 'alert')).toHaveLength(times)
})

test('a position does not replace an event reported by the tracker', async () => {
  using portal = await createTestWorld()
  await portal.say(0, 0, { positions: [fix(0, 0, { event: 'button' })] })
  await portal.say(0, 1)
  expect(await portal.device()).toMatchObject({ lastEvent: 'button', lastEventAt: NOW })
  expect((await portal.world.positions.latest(1, 0, NOW.getTime() / 1000))?.event).toBe(7)
})
