import { expect, test } from 'vitest'
import { search } from './command-search.ts'

const run = () => {}
const commands = ['Old tracker', 'Rex', 'Café Rex', 'Trailer', 'Übung'].map((label, id) => ({ id: String(id), label, run }))
const found = (query: string) => search(commands, query).map(({ label }) => label)

test.each([
  ['', ['Old tracker', 'Rex', 'Café Rex', 'Trailer', 'Übung']],
  ['TRA', ['Trailer', 'Old tracker']],
  ['cafe', ['Café Rex']],
  ['rex café', ['Café Rex']],
  ['ubung', ['Übung']],
  ['nothing', []],
])('the query %j finds %j', (query, expected) => {
  expect(found(query)).toEqual(expected)
})
