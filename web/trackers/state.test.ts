import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { SAMPLE_AT, sampleDevice } from './sample-device.ts'
import { attentionReasons, isStale, lastContact, stateGroup, type TrackerState, trackerState } from './state.ts'

const minutesAgo = (n: number) => new Date(SAMPLE_AT.getTime() - n * 60_000).toISOString()
const fix = (n: number) => ({ lat: 0, lng: 0, precision: 5, datetime: minutesAgo(n) })

test('R-4.3 R-4.6 each state of a tracker is recognized', async () => {
  expect(
    await collectFailures<[TrackerState, Parameters<typeof sampleDevice>[0]]>(
      [
        ['moving', {}],
        ['moving', { status: { stationary_since: minutesAgo(7) } }],
        ['stationary', { status: { stationary_since: minutesAgo(8) } }],
        ['unknown', { status: { stationary_since: '' } }],
        ['unknown', { status: { last_position: { ...fix(1), datetime: '' }, stationary_since: null } }],
        ['stationary', { status: { last_position: { ...fix(1), datetime: '' }, stationary_since: minutesAgo(8) } }],
        ['lost', { config: { mode: 27 } }],
        ['plane', { config: { mode: 4 } }],
        ['pending', { config: { mode: 9, pending_mode: 7, mode_state: 'sending' } }],
        ['deactivated', { config: { network_state: 'deactivated' } }],
        ['unplaced', { status: { last_position: null } }],
        ['silent', { status: { last_position: fix(13 * 60), stationary_since: minutesAgo(13 * 60) } }],
      ],
      JSON.stringify,
      ([state, parts]) => {
        expect(trackerState(sampleDevice(parts), SAMPLE_AT)).toBe(state)
      },
    ),
  ).toEqual([])
})

test('a tracker is silent after three missed reports and not after two', () => {
  const at = (n: number) => trackerState(sampleDevice({ status: { last_position: fix(n), stationary_since: minutesAgo(n) } }), SAMPLE_AT)
  expect([at(2 * 240), at(3 * 240), at(3 * 240 + 1)]).toEqual(['stationary', 'stationary', 'silent'])
})

test("a tracker's last contact is the newer of position and event", () => {
  const last_event = { type: 'button', datetime: minutesAgo(1) }
  expect(lastContact(sampleDevice({ status: { last_position: fix(5), last_event } }))).toBe(minutesAgo(1))
  expect(lastContact(sampleDevice({ status: { last_position: null, last_event: null } }))).toBeNull()
})

test("a silent tracker's pin is stale", () => {
  expect((['silent', 'plane', 'deactivated'] as const).every(isStale)).toBe(true)
  expect((['moving', 'stationary', 'lost', 'pending'] as const).some(isStale)).toBe(false)
})

const inDays = (n: number) => new Date(SAMPLE_AT.getTime() + n * 86_400_000).toISOString()
const recurring = { id: 'eur-1', months: 1, extra: 0, recurring: true }

test('R-4.18 R-4.9 each reason for attention is found', async () => {
  expect(
    await collectFailures(
      [
        [[], {}],
        [['lost'], { config: { mode: 7 } }],
        [['battery'], { status: { battery: 19 } }],
        [[], { status: { battery: 20 } }],
        [[], { status: { battery: -1 } }],
        [['battery'], { type: 'tracker_02' as const, status: { battery: 3100 } }],
        [['ended'], { status: { sub_end_date: inDays(-1) } }],
        [['endsSoon'], { status: { sub_end_date: inDays(6) } }],
        [[], { status: { sub_end_date: inDays(6) }, price: recurring }],
        [[], { status: { sub_end_date: null } }],
        [['notActivated'], { status: { sub_state: 'not_activated' } }],
        [[], { linked_to_pro: true, status: { sub_end_date: inDays(-1) } }],
        [
          ['deactivated', 'battery', 'ended'],
          { config: { network_state: 'deactivated' as const }, status: { battery: 3, sub_end_date: inDays(-30) } },
        ],
      ] as const,
      JSON.stringify,
      ([reasons, parts]) => {
        expect(attentionReasons(sampleDevice(parts), SAMPLE_AT)).toEqual(reasons)
      },
    ),
  ).toEqual([])
})

test('a tracker is in one group, and nothing comes before one that its owner looks for', async () => {
  const ended = { sub_end_date: inDays(-1) }
  expect(
    await collectFailures(
      [
        ['moving', {}],
        ['rest', { status: { stationary_since: minutesAgo(30) } }],
        ['rest', { config: { mode: 4 } }],
        ['attention', { status: { battery: 19 } }],
        ['silent', { status: { last_position: null } }],
        ['unused', { status: { ...ended, battery: 5 } }],
        ['unused', { status: { sub_state: 'not_activated' } }],
        ['unused', { config: { network_state: 'deactivated' as const } }],
        ['lost', { config: { mode: 7 } }],
        ['lost', { config: { mode: 7 }, status: ended }],
        ['lost', { config: { pending_mode: 7 } }],
        ['lost', { theft_since: minutesAgo(600), status: { last_position: null } }],
      ] as const,
      JSON.stringify,
      ([group, parts]) => {
        expect(stateGroup(sampleDevice(parts), SAMPLE_AT)).toBe(group)
      },
    ),
  ).toEqual([])
})
