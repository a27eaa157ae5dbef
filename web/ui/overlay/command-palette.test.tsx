import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { search } from './command-palette.tsx'

const run = () => {}
const commands = ['Old tracker', 'Rex', 'Café Rex', 'Trailer', 'Übung'].map((label, id) => ({ id: String(id), label, run }))
const found = (query: string) => search(commands, query).map(({ label }) => label)

const QUERIES: [string, string[]][] = [
  ['', ['Old tracker', 'Rex', 'Café Rex', 'Trailer', 'Übung']],
  ['TRA', ['Trailer', 'Old tracker']],
  ['cafe', ['Café Rex']],
  ['rex café', ['Café Rex']],
  ['ubung', ['Übung']],
  ['nothing', []],
]

test('before something is typed, pages come first and trackers after them', () => {
  const trackers = commands.map((command) => ({ ...command, isMany: true as const }))
  const map = { id: 'map', label: 'Map', run }
  expect(search([...trackers, map], '')[0]).toBe(map)
  expect(search([...trackers, map], 'r')[0]?.label).toBe('Rex')
})

test('queries match all words, ignore case and accents, and rank matches at the beginning first', async () => {
  const failures = await collectFailures(
    QUERIES,
    ([query]) => JSON.stringify(query),
    ([query, expected]) => expect(found(query)).toEqual(expected),
  )
  expect(failures).toEqual([])
})
