import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { computeService, GRACE_DAYS } from './service.ts'
import { computeEndDate, RENEWAL_GRACE_HOURS } from './subscription.ts'
import { DAY_MS, HOUR_MS } from './time.ts'

const now = new Date('2026-03-15T12:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)
const until = (days: number) => ({ state: 'grace', until: daysAgo(-days) })
const since = (days: number) => ({ state: 'resting', since: daysAgo(days) })
const IN_SERVICE = { state: 'in_service' }

test('a tracker rests once the days of grace after its subscription are over', async () => {
  expect(
    await collectFailures(
      [
        ['active', null, 400, IN_SERVICE],
        ['active', daysAgo(-1), 400, IN_SERVICE],
        ['active', daysAgo(1), 400, until(13)],
        ['ended', daysAgo(1), 400, until(13)],
        ['ended', daysAgo(13.999), 400, until(14 - 13.999)],
        ['ended', daysAgo(14), 400, since(0)],
        ['ended', daysAgo(30), 400, since(16)],
        ['active', daysAgo(30), 400, since(16)],
        ['ended', null, 20, since(6)],
        ['ended', null, null, IN_SERVICE],
        ['not_activated', null, 2, until(12)],
        ['not_activated', daysAgo(-700), 20, since(6)],
        ['none', null, 14, since(0)],
        ['none', null, null, IN_SERVICE],
        ['suspended', null, 15, since(1)],
      ] as const,
      JSON.stringify,
      ([sub_state, sub_end_date, added, service]) => {
        const tracker = { type: 'tracker_01', sub_state, sub_end_date, added_at: added === null ? null : daysAgo(added) }
        expect(computeService(tracker, now, 14)).toEqual(service)
      },
    ),
  ).toEqual([])
})

test('without days of grace no tracker rests', () => {
  expect(
    computeService({ type: 'tracker_01', sub_state: 'ended', sub_end_date: daysAgo(1000), added_at: daysAgo(2000) }, now, null),
  ).toEqual(IN_SERVICE)
})

test('a date that cannot be read never makes a tracker rest', () => {
  expect(computeService({ type: 'tracker_01', sub_state: 'ended', sub_end_date: 'yesterday', added_at: null }, now, 14)).toEqual(IN_SERVICE)
})

test('days of grace count from the first time that the account added the tracker', () => {
  const never = { type: 'tracker_01', sub_state: 'none', sub_end_date: null, added_at: daysAgo(1) }
  expect(computeService({ ...never, grace_from: daysAgo(20) }, now, 14)).toEqual(since(6))
  expect(computeService({ ...never, sub_state: 'not_activated', grace_from: daysAgo(3) }, now, 14)).toEqual(until(11))
  expect(computeService({ ...never, sub_state: 'ended', sub_end_date: daysAgo(2), grace_from: daysAgo(400) }, now, 14)).toEqual(until(12))
})

test('instants may be text or dates', () => {
  const tracker = { type: 'tracker_01', sub_state: 'ended', sub_end_date: '2026-03-14T12:00:00Z', added_at: '2025-01-01T00:00:00Z' }
  expect(computeService(tracker, now, 14)).toEqual(until(13))
})

test('a renewing tracker does not rest while its card may still be charged', () => {
  const end = daysAgo(1)
  const lastHour = new Date(end.getTime() + RENEWAL_GRACE_HOURS * HOUR_MS - 1)
  expect(
    computeService({ type: 'tracker_01', sub_state: 'ended', sub_end_date: end, added_at: daysAgo(400) }, lastHour, GRACE_DAYS.min).state,
  ).toBe('grace')
})

test('a renewal puts a resting tracker in service at once', () => {
  const end = computeEndDate(now, daysAgo(60), 1, 0)
  expect(computeService({ type: 'tracker_01', sub_state: 'active', sub_end_date: end, added_at: daysAgo(400) }, now, 14)).toEqual(
    IN_SERVICE,
  )
})

test('a triby, which needs no subscription, rests only after one that has ended', () => {
  const triby = { type: 'triby', sub_end_date: null, added_at: daysAgo(400) }
  expect(computeService({ ...triby, sub_state: 'none' }, now, 14)).toEqual(IN_SERVICE)
  expect(computeService({ ...triby, sub_state: 'ended', sub_end_date: daysAgo(30) }, now, 14)).toEqual(since(16))
})
