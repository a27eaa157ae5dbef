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

test('a statement of PostgreSQL is named after its text', () => {
  const prepare = (text: string) => ({ queryConfig: { text, name: undefined }, rawQueryConfig: { text, name: undefined } })
  const statementsOf = preparedOn(() => ({ one: prepare('select 1'), two: prepare('select 2') }))
  const [first, second] = [statementsOf({}), statementsOf({})]
  expect(first.one.queryConfig.name).toMatch(/^[\w-]{24}$/)
  expect(first.one.rawQueryConfig.name).toBe(first.one.queryConfig.name)
  expect(second.one.queryConfig.name).toBe(first.one.queryConfig.name)
  expect(first.two.queryConfig.name).not.toBe(first.one.queryConfig.name)
})
