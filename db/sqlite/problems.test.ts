import { expect, test } from 'vitest'
import { explain } from './problems.ts'

const failure = (code: string) => Object.assign(new Error('as SQLite says it'), { code })

test.each([
  ['SQLITE_NOTADB', 'is not a database'],
  ['SQLITE_CORRUPT', 'is damaged'],
  ['SQLITE_CORRUPT_INDEX', 'is damaged'],
  ['SQLITE_BUSY', 'is locked by another program'],
  ['SQLITE_BUSY_RECOVERY', 'is locked by another program'],
  ['SQLITE_READONLY_DIRECTORY', 'cannot be written'],
  ['SQLITE_CANTOPEN', 'cannot be opened'],
  ['SQLITE_FULL', 'the disk is full'],
])('the SQLite error %s becomes "%s"', (code, words) => {
  expect(explain(failure(code), 'portal.db')).toMatchObject({ message: expect.stringContaining(words), cause: { code } })
})

test('an error that does not come from SQLite is returned unchanged', () => {
  const error = new Error('something else')
  expect(explain(error, 'portal.db')).toBe(error)
})
