import { expect, test } from 'vitest'
import { KINDS } from '#contracts/lib/constants.ts'
import { isOnGuard, startsToMove, takesVehicleAlert } from './vehicle-alert.ts'

const at = new Date('2026-03-01T12:00:00Z')

test.each([
  ['stood for 8 minutes', '2026-03-01T11:52:00Z', null, true],
  ['stood for a day', '2026-02-28T12:00:00Z', null, true],
  ['stood for 7 minutes, which is moving', '2026-03-01T11:53:00Z', null, false],
  ['was moving', null, null, false],
  ['still stands', '2026-03-01T11:00:00Z', '2026-03-01T11:00:00Z', false],
  ['has just stopped', null, '2026-03-01T11:59:00Z', false],
])('R-3.38 a vehicle that %s fires the alert or not (D-14)', (_words, before, after, fires) => {
  expect(startsToMove(before, after, at)).toBe(fires)
})

test('R-3.38 vehicles and bikes take the vehicle alert, nobody else does', () => {
  expect(KINDS.filter(takesVehicleAlert)).toEqual(['bike', 'vehicle'])
})

test.each([
  ['with the alert', [8, 10, 9], true],
  ['without it', [1, 3, 2, 21, 23, 22], false],
  ['that knows no levels', [4, 7, 27, 50], true],
  ['that nobody knows', [99], false],
])('D-14 a mode %s is on guard or not', (_words, modes, expected) => {
  for (const mode of modes) expect(isOnGuard(mode)).toBe(expected)
})
