import { expect, test } from 'vitest'
import { labelBox, labelRise, removeOverlaps } from './places-layer.tsx'

const circle = (radius: number) => ({ lat: 0, lng: 0, radius })

test('a label sits on its circle, above the pin of a small one and near the middle of one that fills the map', () => {
  expect(labelRise(circle(50), 13)).toBe(24)
  expect(labelRise(circle(200), 15)).toBe(42)
  expect(labelRise(circle(10_000), 13)).toBe(24)
})

test('the same circle is drawn larger at a higher latitude', () => {
  expect(labelRise({ ...circle(200), lat: 60 }, 15)).toBe(84)
})

const label = (name: string, x: number, y = 100) => ({ name, box: labelBox({ x, y }, name) })
const namesOf = (labels: ReturnType<typeof label>[]) => removeOverlaps(labels).map(({ name }) => name)

test('of two overlapping labels the first is shown, and a hidden label hides no others', () => {
  expect(namesOf([label('Home', 100), label('School', 130), label('Office', 180)])).toEqual(['Home', 'Office'])
  expect(namesOf([label('Home', 100), label('School', 130, 140)])).toEqual(['Home', 'School'])
})

test("a label's width is capped, and a CJK character takes more space than a letter", () => {
  const width = (name: string) => {
    const { left, right } = labelBox({ x: 0, y: 0 }, name)
    return right - left
  }
  expect(width('A warehouse at the other end of the town')).toBe(160)
  expect(width('\u81ea\u5b85')).toBeGreaterThan(width('Ho'))
})
