import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tagKey } from '#contracts/rules/reading/text.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { byName, escapeCsvCell } from './text.ts'

test('R-1.14 a cell that starts like a formula gets an apostrophe', async () => {
  expect(
    await collectFailures(['=1+1', '+49 30 1', '-', '@home', '\t=1'] as const, JSON.stringify, (text) => {
      expect(escapeCsvCell(text)).toBe(`'${text}`)
    }),
  ).toEqual([])
})

test('R-1.14 numbers and any other text stay unchanged', async () => {
  expect(
    await collectFailures([-34.9, 0, 85, null, 'Rex', '', ' =1', 'a=b', "'quoted"] as const, JSON.stringify, (value) => {
      expect(escapeCsvCell(value)).toBe(value)
    }),
  ).toEqual([])
})

const cells = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.tuple(fc.constantFrom('=', '+', '-', '@', '\t', "'", ' '), fc.string()).map((parts) => parts.join('')),
)

test('no cell starts like a formula, and escaping adds at most an apostrophe', () => {
  fc.assert(
    fc.property(cells, (text) => {
      const cell = escapeCsvCell(text)
      expect(cell).not.toMatch(/^[=+\-@\t]/)
      expect([text, `'${text}`]).toContain(cell)
    }),
  )
})

test('numbers and null stay unchanged', () => {
  fc.assert(fc.property(fc.oneof(fc.double(), fc.constant(null)), (value) => Object.is(escapeCsvCell(value), value)))
})

test('R-3.40 tag names that differ only in case or accent encoding are the same', async () => {
  expect(
    await collectFailures(
      [
        ['Pets', 'PETS'],
        ['Été', 'éTÉ'],
        ['ÅNGSTRÖM', 'ångström'],
        ['СОБАКИ', 'собаки'],
        ['cafe\u0301', 'café'],
      ] as const,
      String,
      ([one, other]) => expect(tagKey(one)).toBe(tagKey(other)),
    ),
  ).toEqual([])
})

test('R-3.40 tag names that differ in letters or accents are different', async () => {
  expect(
    await collectFailures(
      [
        ['Pets', 'Pet'],
        ['Élan', 'Elan'],
        ['犬', '猫'],
      ] as const,
      String,
      ([one, other]) => expect(tagKey(one)).not.toBe(tagKey(other)),
    ),
  ).toEqual([])
})

const ordered = (...names: string[]) =>
  names
    .map((name, id) => ({ id, name }))
    .sort(byName)
    .map(({ name }) => name)

test('names are sorted like in a dictionary: capitals and accents next to their letter', () => {
  expect(ordered('Zoo', 'école', 'apple', 'Élan', 'Banana')).toEqual(['apple', 'Banana', 'école', 'Élan', 'Zoo'])
})

test('of two equal names the older entry comes first', () => {
  const [first, second] = [
    { id: 7, name: 'Home' },
    { id: 3, name: 'Home' },
  ].sort(byName)
  expect([first?.id, second?.id]).toEqual([3, 7])
})
