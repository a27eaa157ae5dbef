import { expect, test } from 'vitest'
import { csvCell } from './csv-cell.ts'

test.each(['=1+1', '+49 30 1', '-', '@home', '\t=1'])('R-1.14 the text %j gets an apostrophe (D-30)', (text) => {
  expect(csvCell(text)).toBe(`'${text}`)
})

test.each([-34.9, 0, 85, null, 'Rex', '', ' =1', 'a=b', "'quoted"])('R-1.14 %j stays as it is (D-30)', (value) => {
  expect(csvCell(value)).toBe(value)
})
