import { expect, test } from 'vitest'
import { buildLinkRequest, DURATIONS, parseDurationHours } from './new-link-form.tsx'

const now = new Date('2026-03-02T09:00:00Z')
const form = { label: 'Vet', duration: 'h24', extent: 'now' } as const
const plain = { label: 'Vet', permanent: false, from_beginning: true, last_point: true }

test('R-9.2 the durations are 1 hour, 24 hours, 7 days, 30 days, a date and permanent', () => {
  expect(DURATIONS).toEqual(['h1', 'h24', 'h168', 'h720', 'date', 'permanent'])
  expect(DURATIONS.map(parseDurationHours)).toEqual([1, 24, 168, 720, 0, 0])
})

test('a duration counts from now', () => {
  expect(buildLinkRequest(form, now, null)).toEqual({ ...plain, end_date: '2026-03-03T09:00:00.000Z' })
})

test('a link has a destination only if a place is chosen', () => {
  expect(buildLinkRequest({ ...form, destination: '7' }, now, null)).toMatchObject({ destination: 7 })
  expect(buildLinkRequest({ ...form, destination: '' }, now, null)).not.toHaveProperty('destination')
})

test('R-9.3 a permanent link has no end, a link that shows everything no start', () => {
  const request = buildLinkRequest({ label: 'Vet', duration: 'permanent', extent: 'all' }, now, '2026-03-01T08:00:00Z')
  expect(request).toEqual({ label: 'Vet', permanent: true, from_beginning: true, last_point: false })
})

test("R-3.55 a link of today's track starts at midnight, or at the last fix if that is older", () => {
  const startWith = (lastFix: string | null) => buildLinkRequest({ ...form, extent: 'today' }, now, lastFix)
  const midnight = new Date('2026-03-02T00:00:00').toISOString()
  expect(startWith('2026-03-02T08:59:00Z')).toMatchObject({ start_date: midnight, from_beginning: false, last_point: false })
  expect(startWith(null)).toMatchObject({ start_date: midnight })
  expect(startWith('2026-02-20T10:00:00Z')).toMatchObject({ start_date: '2026-02-20T10:00:00.000Z' })
})

test('R-3.56 a link ends at the end of its last day, which must not be in the past', () => {
  const on = (end: string) => buildLinkRequest({ ...form, duration: 'date', end }, now, null)
  expect(on('2026-03-04')).toMatchObject({ end_date: new Date('2026-03-04T23:59:59').toISOString() })
  expect([on('2026-03-01'), on(''), on('soon')]).toEqual(['past', 'required', 'required'])
})
