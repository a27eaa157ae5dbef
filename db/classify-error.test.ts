import { expect, test } from 'vitest'
import { classifyDbError, explainDbFault, nameLostDatabase } from './classify-error.ts'

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
  ['57P01', 'unavailable'],
  ['08006', 'unavailable'],
  ['23505', 'constraint'],
  ['22021', 'text'],
  ['42703', undefined],
])('%s is classified as %s', (code, kind) => {
  expect(classifyDbError(failure(code))).toBe(kind)
})

test.each([
  ['failure on connection marked as essential: worker1:5432', 'unavailable'],
  ['server closed the connection unexpectedly', 'unavailable'],
  ['could not receive data from server: Connection reset by peer', 'unavailable'],
  ['could not commit transaction for shard 102008 on at least one active node', 'unavailable'],
  ['cache lookup failed for relation 16384', undefined],
])('an internal error of the database with the text "%s" is classified as %s', (text, kind) => {
  const error = Object.assign(new Error(text), { code: 'XX000' })
  expect(classifyDbError(new Error('Failed query', { cause: error }))).toBe(kind)
})

test('the cause of an error of the query builder is classified', () => {
  expect(classifyDbError(new Error('Failed query', { cause: failure('SQLITE_BUSY_TIMEOUT') }))).toBe('unavailable')
  expect(classifyDbError(new Error('Failed query', { cause: new Error('no code') }))).toBeUndefined()
  expect(classifyDbError('SQLITE_BUSY')).toBeUndefined()
})

test.each(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN'])(
  '%s of the database connection is classified as unavailable',
  (code) => {
    const named = nameLostDatabase(failure(code))
    expect(classifyDbError(named)).toBe('unavailable')
    expect(classifyDbError(new Error('Failed query', { cause: named }))).toBe('unavailable')
  },
)

test('an error of another connection is returned unchanged', () => {
  const refused = failure('23505')
  expect(nameLostDatabase(refused)).toBe(refused)
  expect(classifyDbError(nameLostDatabase(new Error('Connection terminated unexpectedly')))).toBe('unavailable')
})

test.each([
  ['SQLITE_FULL', 'The disk of the database is full.'],
  ['53100', 'The disk of the database is full.'],
  ['25006', 'The database accepts no changes: it is a standby, or may only be read.'],
  ['57P03', 'The database is starting or stopping.'],
  ['XX000', 'The database fails.'],
])('%s is explained to an operator without host or user', (code, sentence) => {
  expect(explainDbFault(new Error('Failed query: select … params: secret', { cause: failure(code) }))).toBe(sentence)
})
