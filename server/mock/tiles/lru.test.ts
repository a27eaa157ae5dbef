import { expect, test } from 'vitest'
import { createLru } from './lru.ts'

test('the least recently used entry is evicted', () => {
  const kept = createLru<number>(2)
  kept.set('a', 1)
  kept.set('b', 2)
  expect(kept.get('a')).toBe(1)
  kept.set('c', 3)
  expect(kept.get('b')).toBeUndefined()
  expect(kept.get('a')).toBe(1)
  expect(kept.get('c')).toBe(3)
  expect(kept.size).toBe(2)
})

test('replacing a value does not add an entry', () => {
  const kept = createLru<number>(2)
  kept.set('a', 1)
  kept.set('a', 2)
  expect(kept.get('a')).toBe(2)
  expect(kept.size).toBe(1)
})
