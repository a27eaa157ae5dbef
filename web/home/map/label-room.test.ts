import { expect, test } from 'vitest'
import { labelBox, removeOverlaps } from './label-room.ts'

const label = (name: string, x: number, y = 100) => ({ name, box: labelBox({ x, y }, name) })
const namesOf = (labels: ReturnType<typeof label>[]) => removeOverlaps(labels).map(({ name }) => name)

test('of two overlapping labels the first is shown, and a hidden label hides no others', () => {
  expect(namesOf([label('Home', 100), label('School', 130), label('Office', 180)])).toEqual(['Home', 'Office'])
  expect(namesOf([label('Home', 100), label('School', 130, 140)])).toEqual(['Home', 'School'])
})

test("a label's width is capped, and a CJK character takes more room than a letter", () => {
  const width = (name: string) => {
    const { left, right } = labelBox({ x: 0, y: 0 }, name)
    return right - left
  }
  expect(width('A warehouse at the other end of the town')).toBe(160)
  expect(width('\u81ea\u5b85')).toBeGreaterThan(width('Ho'))
})
