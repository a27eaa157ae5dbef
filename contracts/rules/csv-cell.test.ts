import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { csvCell } from './csv-cell.ts'

test('R-1.14 a cell that starts like a formula gets an apostrophe', async () => {
  expect(
    await collectFailures(['=1+1', '+49 30 1', '-', '@home', '\t=1'] as const, JSON.stringify, (text) => {
      expect(csvCell(text)).toBe(`'${text}`)
    }),
  ).toEqual([])
})

test('R-1.14 numbers and any other text stay unchanged', async () => {
  expect(
    await collectFailures([-34.9, 0, 85, null, 'Rex', '', ' =1', 'a=b', "'quoted"] as const, JSON.stringify, (value) => {
      expect(csvCell(value)).toBe(value)
    }),
  ).toEqual([])
})
