import { describe, expect, test } from 'vitest'
import { findEnd, findNextMorning } from './ends.ts'

/** Wednesday, 4 March 2026, at noon in Montevideo. */
const noon = new Date('2026-03-04T15:00:00Z')
const ZONE = 'America/Montevideo'

describe('ends of silences', () => {
  test('alerts are muted for an hour, until this evening, tomorrow morning or Sunday evening in the zone of the account', () => {
    expect((['hour', 'evening', 'morning', 'sunday'] as const).map((end) => findEnd(end, noon, ZONE)?.toISOString())).toEqual([
      '2026-03-04T16:00:00.000Z',
      '2026-03-04T23:00:00.000Z',
      '2026-03-05T10:00:00.000Z',
      '2026-03-08T23:00:00.000Z',
    ])
    expect(findEnd('evening', noon, 'Asia/Tokyo')?.toISOString()).toBe('2026-03-05T11:00:00.000Z')
    expect(findEnd('morning', noon, 'Asia/Tokyo')?.toISOString()).toBe('2026-03-05T22:00:00.000Z')
  })

  test('an evening that has come, or is less than an hour away, is not offered', () => {
    expect(findEnd('evening', new Date('2026-03-04T22:01:00Z'), ZONE)).toBeNull()
    expect(findEnd('sunday', new Date('2026-03-09T00:00:00Z'), ZONE)).toBeNull()
    expect(findEnd('sunday', new Date('2026-03-08T12:00:00Z'), ZONE)?.toISOString()).toBe('2026-03-08T23:00:00.000Z')
  })

  test('an evening after the clocks have changed is at the same time of day', () => {
    expect(findEnd('sunday', new Date('2026-03-28T12:00:00Z'), 'Europe/Berlin')?.toISOString()).toBe('2026-03-29T18:00:00.000Z')
  })

  test.each([
    ['2026-03-02T08:00:00Z', '2026-03-02T10:00:00.000Z'],
    ['2026-03-02T10:00:00Z', '2026-03-03T10:00:00.000Z'],
    ['2026-03-03T01:00:00Z', '2026-03-03T10:00:00.000Z'],
  ])('at %s the next morning in Montevideo is %s', (at, morning) => {
    expect(findNextMorning(new Date(at), ZONE).toISOString()).toBe(morning)
  })
})
