import { expect, test } from 'vitest'
import { blockOf, offersActivation } from './block-of.ts'
import { SAMPLE_AT, sampleDevice } from './sample-device.ts'

const ended = sampleDevice({ status: { sub_end_date: '2026-03-01T00:00:00Z' } })
const waiting = sampleDevice({ status: { sub_state: 'not_activated', sub_end_date: null } })

test('R-4.18 boost, lost mode and mode need a subscription; sharing does not', () => {
  expect((['share', 'boost', 'lost', 'mode'] as const).map((action) => blockOf(action, ended, 'user', SAMPLE_AT))).toEqual([
    null,
    'subscription',
    'subscription',
    'subscription',
  ])
  expect((['share', 'boost', 'lost', 'mode'] as const).map((action) => blockOf(action, sampleDevice(), 'user', SAMPLE_AT))).toEqual([
    null,
    null,
    null,
    null,
  ])
})

test('C-48 deepsupport looks and changes nothing', () => {
  expect(
    (['share', 'boost', 'lost', 'mode'] as const).every(
      (action) => blockOf(action, sampleDevice(), 'deepsupport', SAMPLE_AT) === 'readOnly',
    ),
  ).toBe(true)
})

test('R-4.12 in plane mode there is nothing to boost, but a way out', () => {
  const plane = sampleDevice({ config: { mode: 4 } })
  expect(blockOf('boost', plane, 'user', SAMPLE_AT)).toBe('plane')
  expect(blockOf('mode', plane, 'user', SAMPLE_AT)).toBeNull()
})

test('D-19 an owner may activate what came with the tracker, a member of a pro account may not', () => {
  expect(offersActivation(waiting, 'user', SAMPLE_AT)).toBe(true)
  expect(offersActivation(waiting, 'pro', SAMPLE_AT)).toBe(false)
  expect(offersActivation(ended, 'user', SAMPLE_AT)).toBe(false)
  expect(offersActivation({ ...waiting, linked_to_pro: true }, 'user', SAMPLE_AT)).toBe(false)
})
