import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { attentionReasons } from './attention.ts'
import { SAMPLE_AT, sampleDevice } from './sample-device.ts'

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
