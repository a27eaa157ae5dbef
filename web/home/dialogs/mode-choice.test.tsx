import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { sampleDevice } from '#web/trackers/sample-device.ts'
import { levelModes, offeredModes } from './mode-choice.tsx'

test('each kind of tracker offers its modes, and its monitoring levels to leave lost mode', async () => {
  expect(
    await collectFailures(
      [
        ['dog' as const, 'T1-A', [21, 23, 22, 4, 27], [21, 23, 22]],
        ['vehicle' as const, 'T2-A', [1, 3, 2, 8, 10, 9, 4, 7], [1, 3, 2, 8, 10, 9]],
        ['person' as const, 'T4-A', [1, 3, 2, 4, 7], [1, 3, 2]],
        ['other' as const, 'SCT2-01', [50, 4, 7], [50]],
      ] as const,
      JSON.stringify,
      ([usage, board_name, offered, levels]) => {
        const device = sampleDevice({ config: { usage, board_name } })
        expect(offeredModes(device)).toEqual(offered)
        expect(levelModes(device)).toEqual(levels)
      },
    ),
  ).toEqual([])
})
