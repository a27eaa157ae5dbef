import { expect, test } from 'vitest'
import { parseNames } from './read-changes.ts'

test('changed, added, deleted and renamed files are read from the list of git', () => {
  const list = ['M', 'a.ts', 'R096', 'old.ts', 'new.ts', 'A', 'b.ts', 'D', 'c.ts', ''].join('\0')
  expect(parseNames(list).map(({ status, oldPath, path }) => [status, oldPath, path])).toEqual([
    ['M', 'a.ts', 'a.ts'],
    ['R', 'old.ts', 'new.ts'],
    ['A', 'b.ts', 'b.ts'],
    ['D', 'c.ts', 'c.ts'],
  ])
})
