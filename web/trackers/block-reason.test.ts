import { expect, test } from 'vitest'
import { blockReason, canActivate } from './block-reason.ts'
import { SAMPLE_AT, sampleDevice } from './sample-device.ts'

const ended = sampleDevice({ status: { sub_end_date: '2026-03-01T00:00:00Z' } })
const waiting = sampleDevice({ status: { sub_state: 'not_activated', sub_end_date: null } })

test('R-4.18 boost, lost mode and mode changes require a subscription, and sharing does not', () => {
  expect((['share', 'boost', 'lost', 'mode'] as const).map((action) => blockReason(action, ended, 'user', SAMPLE_AT))).toEqual([
    null,
    'subscription',
    'subscription',
    'subscription',
  ])
  expect((['share', 'boost', 'lost', 'mode'] as const).map((action) => blockReason(action, sampleDevice(), 'user', SAMPLE_AT))).toEqual([
    null,
    null,
    null,
    null,
  ])
})

test('support can read everything and change nothing', () => {
  expect(
    (['share', 'boost', 'lost', 'mode'] as const).every(
      (action) => blockReason(action, sampleDevice(), 'deepsupport', SAMPLE_AT) === 'readOnly',
    ),
  ).toBe(true)
})

test('R-4.12 plane mode rules out a boost but can be left', () => {
  const plane = sampleDevice({ config: { mode: 4 } })
  expect(blockReason('boost', plane, 'user', SAMPLE_AT)).toBe('plane')
  expect(blockReason('mode', plane, 'user', SAMPLE_AT)).toBeNull()
})

test('an owner may activate an included subscription, and a member of a pro account may not', () => {
  expect(canActivate(waiting, 'user', SAMPLE_AT)).toBe(true)
  expect(canActivate(waiting, 'pro', SAMPLE_AT)).toBe(false)
  expect(canActivate(ended, 'user', SAMPLE_AT)).toBe(false)
  expect(canActivate({ ...waiting, linked_to_pro: true }, 'user', SAMPLE_AT)).toBe(false)
})
