import { expect, test } from 'vitest'
import { byName } from './name-order.ts'

const ordered = (...names: string[]) =>
  names
    .map((name, id) => ({ id, name }))
    .sort(byName)
    .map(({ name }) => name)

test('names sort as in a dictionary: capitals and accents beside their letter', () => {
  expect(ordered('Zoo', 'école', 'apple', 'Élan', 'Banana')).toEqual(['apple', 'Banana', 'école', 'Élan', 'Zoo'])
})

test('of two equal names the older entry comes first', () => {
  const [first, second] = [
    { id: 7, name: 'Home' },
    { id: 3, name: 'Home' },
  ].sort(byName)
  expect([first?.id, second?.id]).toEqual([3, 7])
})
