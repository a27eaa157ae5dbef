import { expect, test } from 'vitest'
import { buildLinkRequest, DURATIONS, parseDurationHours } from './new-link.schema.ts'

const now = new Date('2026-03-02T09:00:00Z')
const form = { label: 'Vet', duration: 'h24', permanent: false, from_beginning: false, last_point: false }
const plain = { label: 'Vet', permanent: false, from_beginning: false, last_point: false }

test('R-9.2 the durations are 1 hour, 24 hours, 7 days, 30 days and a date', () => {
  expect(DURATIONS).toEqual(['h1', 'h24', 'h168', 'h720', 'date'])
  expect(DURATIONS.map(parseDurationHours)).toEqual([1, 24, 168, 720, 0])
})

test('a duration counts from now', () => {
  expect(buildLinkRequest(form, now)).toEqual({ ...plain, end_date: '2026-03-03T09:00:00.000Z' })
})

test('R-9.3 a permanent link has no end, a link from the beginning no start', () => {
  const { duration: _, ...disabled } = form
  const asked = { ...disabled, start: '2026-01-01', permanent: true, from_beginning: true }
  expect(buildLinkRequest(asked, now)).toEqual({ ...plain, permanent: true, from_beginning: true })
})

test('R-3.55 a link starts at the beginning of its first day', () => {
  const start_date = new Date('2026-02-20T00:00:00').toISOString()
  expect(buildLinkRequest({ ...form, start: '2026-02-20' }, now)).toMatchObject({ start_date })
  expect(buildLinkRequest({ ...form, start: '' }, now)).not.toHaveProperty('start_date')
})

test('R-3.56 a link ends at the end of its last day, which must not be in the past or before the first day', () => {
  const on = (end: string, start = '') => buildLinkRequest({ ...form, duration: 'date', start, end }, now)
  expect(on('2026-03-04')).toMatchObject({ end_date: new Date('2026-03-04T23:59:59').toISOString() })
  expect([on('2026-03-01'), on(''), on('soon'), on('2026-03-04', '2026-03-05')]).toEqual(['past', 'required', 'required', 'before_start'])
})
