import { expect, test } from 'vitest'
import { DURATIONS, hoursOf, linkRequest } from './new-link.ts'

const now = new Date('2026-03-02T09:00:00Z')
const form = { label: 'Vet', duration: 'h24', from_beginning: false, last_point: false }

test('R-9.2 the durations are 1 hour, 24 hours, 7 days, 30 days, a date and for good', () => {
  expect(DURATIONS).toEqual(['h1', 'h24', 'h168', 'h720', 'date', 'permanent'])
  expect(DURATIONS.map(hoursOf)).toEqual([1, 24, 168, 720, 0, 0])
})

test('D-17 a duration counts from now', () => {
  expect(linkRequest(form, now)).toEqual({
    label: 'Vet',
    end_date: '2026-03-03T09:00:00.000Z',
    permanent: false,
    from_beginning: false,
    last_point: false,
  })
})

test('R-9.3 a permanent link has no end', () => {
  expect(linkRequest({ ...form, duration: 'permanent', from_beginning: true }, now)).toEqual({
    label: 'Vet',
    permanent: true,
    from_beginning: true,
    last_point: false,
  })
})

test('R-3.56 a link ends with its last day, which is not in the past', () => {
  const on = (end: string) => linkRequest({ ...form, duration: 'date', end }, now)
  expect(on('2026-03-04')).toMatchObject({ end_date: new Date('2026-03-04T23:59:59').toISOString() })
  expect([on('2026-03-01'), on(''), on('soon')]).toEqual([null, null, null])
})
