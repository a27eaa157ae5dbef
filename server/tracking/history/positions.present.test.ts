import { expect, test } from 'vitest'
import { presentCompactPoint, timeOfPosition } from './positions.present.ts'

const row = { lat: 0, lng: 0, precision: 5, event: null, battery: null, speed: null, course: null, altitude: null, mark: null }
const idOf = (deviceId: number, time: number) =>
  presentCompactPoint(deviceId, { ...row, time }, { search: () => [], nearest: () => null }).id

test.each([1, 2_097_151, 2_097_152, 100_000_000])(
  'the id of a position of tracker %i is a safe integer that encodes its second',
  (deviceId) => {
    for (const time of [0, 1_772_442_000, 2 ** 32 - 1]) {
      const id = idOf(deviceId, time)
      expect(Number.isSafeInteger(id)).toBe(true)
      expect(timeOfPosition(deviceId, id)).toBe(time)
    }
  },
)

test('the id of a position of another tracker is refused', () => expect(timeOfPosition(7, idOf(8, 1000))).toBe(null))
