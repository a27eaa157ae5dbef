import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { personName } from './person-name.ts'

test('the family name comes first in Hungarian and Japanese', async () => {
  expect(
    await collectFailures(
      [
        ['en', 'Anna Kovács'],
        ['hu', 'Kovács Anna'],
        ['ja', 'Kovács Anna'],
      ] as const,
      JSON.stringify,
      ([language, name]) => {
        expect(personName('Anna', 'Kovács', language)).toBe(name)
      },
    ),
  ).toEqual([])
})

test('a missing first or last name leaves no blank', () => {
  expect([personName('', 'Kovács', 'en'), personName('Anna', '', 'hu')]).toEqual(['Kovács', 'Anna'])
})
