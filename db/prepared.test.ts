import { expect, test } from 'vitest'
import { preparedOn } from './prepared.ts'

test('a statement is prepared once per connection, and each connection has its own', () => {
  const prepared: string[] = []
  const statementsOf = preparedOn(({ name }: { name: string }) => {
    prepared.push(name)
    return { name }
  })
  const [reader, writer] = [{ name: 'reader' }, { name: 'writer' }]
  const first = statementsOf(reader)
  expect(statementsOf(reader)).toBe(first)
  expect(statementsOf(writer)).toEqual({ name: 'writer' })
  expect(statementsOf({ name: 'reader' })).not.toBe(first)
  expect(prepared).toEqual(['reader', 'writer', 'reader'])
})

test('one that cannot be prepared is tried again the next time', () => {
  let isBroken = true
  const statementsOf = preparedOn(() => {
    if (isBroken) throw new Error('no such table')
    return 'ready'
  })
  const connection = {}
  expect(() => statementsOf(connection)).toThrow('no such table')
  isBroken = false
  expect(statementsOf(connection)).toBe('ready')
})
