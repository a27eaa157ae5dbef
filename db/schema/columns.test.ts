import { drizzle } from 'drizzle-orm/better-sqlite3'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { connect } from '#db/sqlite/driver.ts'
import { bool, instant, int, json, pk, str, table } from './columns.ts'

const samples = table('samples', {
  id: pk(),
  count: int(),
  isTrue: bool(),
  happenedAt: instant(),
  word: str<'one' | 'two'>(),
  list: json<{ label: string; amount: number }[]>(),
})

const raw = connect(':memory:')
raw.exec('create table samples (id integer primary key, count integer, is_true integer, happened_at integer, word text, list text)')
const db = drizzle(raw, { casing: 'snake_case' })
afterAll(() => raw.close())

const sample = fc.record({
  count: fc.option(fc.integer()),
  isTrue: fc.option(fc.boolean()),
  happenedAt: fc.option(fc.date({ min: new Date(0), max: new Date('2200-01-01T00:00:00Z'), noInvalidDate: true })),
  word: fc.option(fc.constantFrom('one' as const, 'two' as const)),
  list: fc.option(fc.array(fc.record({ label: fc.string(), amount: fc.integer() }))),
})

test('written values are read back unchanged: numbers, booleans, instants to the millisecond, words, lists', () => {
  fc.assert(
    fc.property(sample, (row) => {
      const [{ id: _, ...read }] = db.insert(samples).values(row).returning().all() as [typeof samples.$inferSelect]
      expect(read).toEqual(row)
    }),
  )
})

test('other programs can read stored values: an instant is milliseconds, true is 1, a list is JSON', () => {
  db.insert(samples)
    .values({ id: 1_000_000, isTrue: true, happenedAt: new Date(1234), list: [{ label: 'é', amount: 2 }] })
    .run()
  expect(raw.prepare('select is_true, happened_at, list from samples where id = 1000000').get()).toEqual({
    is_true: 1,
    happened_at: 1234,
    list: '[{"label":"é","amount":2}]',
  })
})
