import { expect, test } from 'vitest'
import { collectFailures } from './collect-failures.ts'

test('every failing row is listed by name with its reason, and passing rows are not', async () => {
  const failures = await collectFailures([1, 2, 3], String, (row) => {
    if (row !== 2) throw new Error(`${row} is odd`)
  })
  expect(failures).toEqual(['1: 1 is odd', '3: 3 is odd'])
})

test('a rejected promise counts as a failure', async () => {
  expect(await collectFailures(['a'], String, () => Promise.reject(new Error('late')))).toEqual(['a: late'])
})

test('a table without rows is an error', async () => {
  await expect(collectFailures([], String, () => undefined)).rejects.toThrow('no rows')
})

test('the reason shows an object that a failing assertion received', async () => {
  const failures = await collectFailures(['a'], String, () => expect({ status: 404, body: { code: 'x' } }).toMatchObject({ status: 200 }))
  expect(failures.join()).toMatch(/^a: expected .*, received \{.*"status":404.*\}$/s)
})
