import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvCell } from './csv-cell.ts'

const cells = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.tuple(fc.constantFrom('=', '+', '-', '@', '\t', "'", ' '), fc.string()).map((parts) => parts.join('')),
)

test('D-30 no text begins like a formula, and at most an apostrophe is added to it', () => {
  fc.assert(
    fc.property(cells, (text) => {
      const cell = csvCell(text)
      expect(cell).not.toMatch(/^[=+\-@\t]/)
      expect([text, `'${text}`]).toContain(cell)
    }),
  )
})

test('D-30 numbers and nothing stay as they are', () => {
  fc.assert(fc.property(fc.oneof(fc.double(), fc.constant(null)), (value) => Object.is(csvCell(value), value)))
})
