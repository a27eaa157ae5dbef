import { expect, test } from 'vitest'
import { withUnlisted } from './unknown-values.ts'

test('a form offers the current value of an object even if the list lacks it', () => {
  const list = ['dog', 'cat'] as const
  expect(withUnlisted(list, 'ferret')).toEqual(['dog', 'cat', 'ferret'])
  expect([withUnlisted(list, 'cat'), withUnlisted(list, undefined)]).toEqual([list, list])
})
