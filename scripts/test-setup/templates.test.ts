import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { ANCHOR } from '#server/test/test-files.ts'
import { listTemplateSources } from './templates.ts'

afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

test('the name of the template depends on each of our files that building it reads', async () => {
  const read = new Set<string>()
  for (const name of ['readFileSync', 'readdirSync', 'openSync'] as const) {
    const original = fs[name] as (...parts: unknown[]) => unknown
    vi.spyOn(fs, name).mockImplementation(((...parts: unknown[]) => {
      read.add(path.relative('', path.resolve(String(parts[0]))))
      return original(...parts)
    }) as never)
  }
  syncBuiltinESMExports()
  vi.resetModules()
  const { buildCity } = await import('#server/mock/city/build/build-city.ts')
  const { openCity } = await import('#server/mock/city/index.ts')
  const { buildTemplate } = await import('#server/mock/seed/template.ts')
  const folder = fs.mkdtempSync(path.join(tmpdir(), 'whereabouts-city-'))
  await buildCity(folder)
  await buildTemplate({ anchor: ANCHOR, seed: 1, city: openCity(folder) })
  fs.rmSync(folder, { recursive: true })

  const ours = [...read].filter((file) => !/^\.\.|node_modules/.test(file) && fs.statSync(file).isFile())
  expect(ours).toContain('db/migrations/meta/_journal.json')
  expect(ours.filter((file) => !listTemplateSources().includes(file))).toEqual([])
})

test('the template depends on the seed, the tables and the demo city, and on no handler', () => {
  const sources = listTemplateSources()
  expect(sources).toEqual(
    expect.arrayContaining([
      'server/mock/seed/records/accounts.ts',
      'db/schema/tables.ts',
      'server/mock/city/build/road-graph.ts',
      'server/test/test-files.ts',
    ]),
  )
  expect(sources.filter((file) => file.endsWith('.handlers.ts'))).toEqual([])
})
