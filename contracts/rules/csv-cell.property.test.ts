import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvCell } from './csv-cell.ts'

const cells = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.tuple(fc.constantFrom('=', '+', '-', '@', '\t', "'", ' '), fc.string()).map((parts) => parts.join('')),
)

test('no cell starts like a formula, and escaping adds at most an apostrophe', () => {
  fc.assert(
    fc.property(cells, (text) => {
      const cell = csvCell(text)
      expect(cell).not.toMatch(/^[=+\-@\t]/)
      expect([text, `'${text}`]).toContain(cell)
    }),
  )
})

test('numbers and null stay unchanged', () => {
  fc.assert(fc.property(fc.oneof(fc.double(), fc.constant(null)), (value) => Object.is(csvCell(value), value)))
})
