import { expect, test } from 'vitest'
import { createStorage } from './storage.ts'

const full = {
  length: 0,
  clear() {},
  key: () => null,
  getItem: () => null,
  removeItem() {},
  setItem() {
    throw new DOMException('full', 'QuotaExceededError')
  },
} satisfies Storage

test.each([
  [
    'refused',
    () => {
      throw new DOMException('denied', 'SecurityError')
    },
  ],
  ['full', () => full],
])('storage that is %s falls back to memory', (_, local) => {
  const storage = createStorage(local)
  storage.set('token', 'abc')
  expect(storage.get('token')).toBe('abc')
  storage.remove('token')
  expect(storage.get('token')).toBeNull()
})

test('R-3.90 the token is read from storage each time, because another tab may have changed it', () => {
  const values = new Map<string, string>()
  const local = {
    ...full,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  }
  const storage = createStorage(() => local)
  storage.set('token', 'mine')
  values.set('token', 'theirs')
  expect(storage.get('token')).toBe('theirs')
})
