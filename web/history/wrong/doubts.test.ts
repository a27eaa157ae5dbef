import { expect, test } from 'vitest'
import { finish } from '#contracts/rules/work.ts'
import { toPositionColumns } from '#contracts/track/columns.ts'
import { withMarks } from '#contracts/track/marks.ts'
import { createPoints, START } from '#web/history/charts/test-points.ts'
import { prepareTrack } from '#web/history/track/track.ts'
import { countPositions, listDoubts } from './doubts.ts'

const marks = [undefined, 'jump', 'run', 'run', undefined, 'run', 'kept', undefined]
const columns = toPositionColumns(
  createPoints(marks.map((_, minute) => ({ minute, meters: minute * 100 }))).map((point, index) => ({
    ...point,
    ...(marks[index] && { mark: marks[index] }),
  })),
)

test('consecutive positions that look wrong for the same reason are one row, and several with valid ones between them', () => {
  const doubts = listDoubts(columns)
  expect(doubts.map(({ mark, ids }) => [mark, ids])).toEqual([
    ['jump', [2]],
    ['run', [3, 4]],
    ['run', [6]],
    ['kept', [7]],
  ])
  expect([doubts[1]?.first, doubts[1]?.last]).toEqual([START + 2 * 60_000, START + 3 * 60_000])
  expect(countPositions(doubts)).toBe(5)
})

test('a history without marks has no doubtful positions', () => {
  expect(listDoubts(toPositionColumns(createPoints([{ minute: 0, meters: 0 }])))).toEqual([])
})

test('positions that look wrong do not belong to the track, restored ones do', () => {
  const track = finish(prepareTrack(columns))
  expect([...track.positions.id]).toEqual([1, 5, 7, 8])
  expect([...track.wrong.id]).toEqual([2, 3, 4, 6])
  const used = finish(prepareTrack(withMarks(columns, new Map([[2, 'kept']]))))
  expect([...used.positions.id]).toEqual([1, 2, 5, 7, 8])
})
