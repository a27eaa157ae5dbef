import { expect, test } from 'vitest'
import { personName } from './person-name.ts'

test.each([
  ['en', 'Anna Kovács'],
  ['hu', 'Kovács Anna'],
  ['ja', 'Kovács Anna'],
])('in %s a person is called %s', (language, name) => {
  expect(personName('Anna', 'Kovács', language)).toBe(name)
})

test('one name is enough', () => {
  expect([personName('', 'Kovács', 'en'), personName('Anna', '', 'hu')]).toEqual(['Kovács', 'Anna'])
})
