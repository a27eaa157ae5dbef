import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { displayType, isSct2Board } from './display-type.ts'

test('R-3.20 R-1.6 a board name starting with SCT2 or LWT2 decides the displayed type', async () => {
  expect(
    await collectFailures(
      [
        ['SCT2-01', 'sct2'],
        ['SCT2', 'sct2'],
        ['LWT2-07', 'lwt2'],
        ['XSCT2', 'tracker_04'],
        ['sct2', 'tracker_04'],
        [' SCT2', 'tracker_04'],
        ['LWT1', 'tracker_04'],
        ['', 'tracker_04'],
        [null, 'tracker_04'],
        [undefined, 'tracker_04'],
      ] as const,
      JSON.stringify,
      ([board_name, shown]) => {
        expect(displayType({ type: 'tracker_04', tracker_config: { board_name } })).toBe(shown)
        expect(isSct2Board(board_name)).toBe(shown === 'sct2')
      },
    ),
  ).toEqual([])
})

test('R-3.20 a tracker without configuration displays its own type', () => {
  expect(displayType({ type: 'triby' })).toBe('triby')
  expect(displayType({ type: 'tracker_06', tracker_config: null })).toBe('tracker_06')
})
