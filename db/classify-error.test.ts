import { expect, test } from 'vitest'
import { classifyDbError } from './classify-error.ts'

const failure = (code: string, options?: ErrorOptions) => Object.assign(new Error(code, options), { code })

test.each([
  ['SQLITE_BUSY', 'unavailable'],
  ['SQLITE_BUSY_SNAPSHOT', 'unavailable'],
  ['SQLITE_FULL', 'unavailable'],
  ['SQLITE_READONLY_DBMOVED', 'unavailable'],
  ['SQLITE_IOERR_WRITE', 'unavailable'],
  ['SQLITE_CORRUPT', 'unavailable'],
  ['SQLITE_NOTADB', 'unavailable'],
  ['SQLITE_CONSTRAINT_UNIQUE', 'constraint'],
  ['SQLITE_ERROR', undefined],
  ['ECONNRESET', undefined],
])('%s is classified as %s', (code, kind) => {
  expect(classifyDbError(failure(code))).toBe(kind)
})

test('the cause of an error of the query builder is classified', () => {
  expect(classifyDbError(new Error('Failed query', { cause: failure('SQLITE_BUSY_TIMEOUT') }))).toBe('unavailable')
  expect(classifyDbError(new Error('Failed query', { cause: new Error('no code') }))).toBeUndefined()
  expect(classifyDbError('SQLITE_BUSY')).toBeUndefined()
})
