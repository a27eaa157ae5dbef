import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SUB_STATES } from '#contracts/rules/subscription.ts'
import { compareDevices } from './sorting.ts'

const subscribed = (id: number, name: string, sub_state: string, sub_end_date: string | null) => ({
  id,
  name,
  tracker_status: { sub_state, sub_end_date },
})

test('R-4.21 trackers not activated come first, then by end date, open ends last, then by name', () => {
  const devices = [
    subscribed(1, 'M (A)', 'active', '2026-05-01T00:00:00Z'),
    subscribed(2, 'N (B)', 'not_activated', null),
    subscribed(3, 'O (C)', 'ended', '2025-12-01T00:00:00Z'),
    subscribed(4, 'P (D)', 'active', null),
    subscribed(5, 'Q (E)', 'not_activated', '2026-01-01T00:00:00Z'),
    subscribed(6, 'R (F)', 'none', null),
    subscribed(7, 'A (G)', 'active', '2026-05-01T00:00:00Z'),
  ]
  expect(devices.sort(compareDevices).map(({ id }) => id)).toEqual([5, 2, 3, 7, 1, 4, 6])
})

test('an invalid end date is sorted as the earliest', () => {
  const ends = ['2026-05-01T00:00:00Z', '', '2026-04-01T00:00:00Z', null]
  const devices = ends.map((end, id) => subscribed(id, 'Rex', 'active', end))
  expect(devices.sort(compareDevices).map(({ id }) => id)).toEqual([1, 2, 0, 3])
})

test('R-4.21 names are compared by a collation, and equal names by id', () => {
  const names = ['zebra', 'Émile', 'Eve', 'apple', 'Eve'].map((name, id) => subscribed(id, name, 'active', null))
  expect(names.sort(compareDevices).map(({ id }) => id)).toEqual([3, 1, 2, 4, 0])
})

test('R-4.21 two notations of the same instant are one end date', () => {
  const [a, b] = [subscribed(1, 'b', 'active', '2026-05-01T02:00:00+02:00'), subscribed(2, 'a', 'active', '2026-05-01T00:00:00.000Z')]
  expect(compareDevices(a, b)).toBeGreaterThan(0)
})

const anyDevice = fc
  .record({
    id: fc.integer({ min: 1, max: 9 }),
    name: fc.constantFrom('Rex', 'rex', 'Réx', '', '10', '9'),
    state: fc.constantFrom(...SUB_STATES, 'unheard_of'),
    end: fc.option(fc.constantFrom('2025-01-01T00:00:00Z', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z')),
  })
  .map(({ id, name, state, end }) => subscribed(id, name, state, end))

test('R-4.21 the order is total: antisymmetric, transitive, and only equal ids tie', () => {
  fc.assert(
    fc.property(anyDevice, anyDevice, anyDevice, (a, b, c) => {
      const [ab, ba, bc, ac] = [compareDevices(a, b), compareDevices(b, a), compareDevices(b, c), compareDevices(a, c)]
      expect(Math.sign(ab) + Math.sign(ba)).toBe(0)
      if (ab <= 0 && bc <= 0) expect(ac).toBeLessThanOrEqual(0)
      if (ab === 0) expect(a.id).toBe(b.id)
    }),
  )
})
