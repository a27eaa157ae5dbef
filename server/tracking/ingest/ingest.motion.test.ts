import { expect, test } from 'vitest'
import { presentStatus } from '#server/trackers/records/devices.present.ts'
import { createTestWorld, fix, NOW } from '#server/tracking/test-world.ts'

const minute = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000)

test('R-3.9 a tracker is stationary since the first fix of its stay', async () => {
  using portal = await createTestWorld()
  await portal.say(1000, 0)
  await portal.say(0, 3)
  expect((await portal.device()).stationarySince).toBeNull()
  await portal.say(20, 5)
  await portal.say(-30, 9)
  expect((await portal.device()).stationarySince).toEqual(minute(3))
})

test('R-4.6 a tracker becomes stationary once, after 8 minutes', async () => {
  using portal = await createTestWorld()
  for (const minutes of [0, 4, 7]) await portal.say(0, minutes)
  expect((await portal.device()).lastEvent).toBe('position')
  await portal.say(0, 8)
  await portal.say(0, 60)
  expect(await portal.device()).toMatchObject({ lastEvent: 'stationary', lastEventAt: minute(8), stationarySince: minute(0) })
})

test('R-4.5 drift is measured from the start of the stay, not from fix to fix', async () => {
  using portal = await createTestWorld()
  for (const [index, metres] of [0, 40, 55].entries()) await portal.say(metres, index * 10)
  expect((await portal.device()).stationarySince).toEqual(minute(0))
  await portal.say(90, 40)
  expect((await portal.device()).stationarySince).toEqual(minute(0))
  await portal.say(95, 50)
  expect(await portal.device()).toMatchObject({ stationarySince: null, lastEvent: 'moving', lastEventAt: minute(50) })
})

test('R-4.5 a fix less precise than the distance travelled does not end a stay', async () => {
  using portal = await createTestWorld()
  await portal.say(0, 0)
  await portal.say(0, 10)
  await portal.say(0, 20, { positions: [fix(400, 20, { precision: 500 })] })
  expect((await portal.device()).stationarySince).toEqual(minute(0))
})

test('R-4.5 fixes of one message are processed in order of time', async () => {
  using portal = await createTestWorld()
  await portal.say(0, 30, { positions: [fix(0, 30), fix(0, 12), fix(800, 1), fix(0, 10)] })
  expect(await portal.device()).toMatchObject({ stationarySince: minute(10), lastEvent: 'stationary', lastEventAt: minute(30) })
})

test('R-4.5 a stay continues even if its first fix is not in the history', async () => {
  using portal = await createTestWorld({
    lat: -349_000_000,
    lng: -561_600_000,
    precision: 5,
    positionAt: minute(-30),
    stationarySince: minute(-600),
  })
  await portal.say(10, 0)
  expect((await portal.device()).stationarySince).toEqual(minute(-600))
})

test('the last position has the course that its device measured, and none if it did not', async () => {
  using portal = await createTestWorld()
  await portal.say(0, 0, { positions: [fix(0, 0, { course: 271.6 })] })
  expect(presentStatus(await portal.device(), NOW).last_position).toMatchObject({ course: 272 })
  await portal.say(900, 10)
  expect(presentStatus(await portal.device(), NOW).last_position).not.toHaveProperty('course')
})
