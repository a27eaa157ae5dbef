import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LAYERS } from '#server/mock/city/city.ts'
import type { CitySummary } from '#server/mock/city/city-files.ts'
import { ensureBuiltCity } from '#server/mock/city/testing.ts'
import { buildCity } from './build-city.ts'

const again = mkdtempSync(join(tmpdir(), 'city-'))
let dir = ''

const hashes = (folder: string) =>
  readdirSync(folder)
    .sort()
    .map((name) => [
      name,
      createHash('sha1')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ])

beforeAll(async () => {
  dir = await ensureBuiltCity()
  await buildCity(again)
})
afterAll(() => rmSync(again, { recursive: true }))

describe('building the city', () => {
  test('two builds write identical bytes', () => {
    expect(hashes(again)).toEqual(hashes(dir))
  })

  test('a build writes one file per layer, the addresses, the roads and a summary', () => {
    const expected = [...LAYERS.map((layer) => `${layer}.json`), 'addresses.bin', 'city.json', 'roads.bin']
    expect(readdirSync(dir).sort()).toEqual(expected.sort())
  })

  test('the city has about 200 000 houses in about 3 300 streets', () => {
    const summary: CitySummary = JSON.parse(readFileSync(join(dir, 'city.json'), 'utf8'))
    expect(summary.houses).toBeGreaterThan(195_000)
    expect(summary.houses).toBeLessThan(207_000)
    expect(summary.streets).toBeGreaterThan(3200)
    expect(summary.streets).toBeLessThan(3400)
    expect(summary.edges).toBeGreaterThan(20_000)
  })

  test("the built files do not name the map's contributors", () => {
    const text = readdirSync(dir).map((name) => readFileSync(join(dir, name), 'latin1'))
    for (const content of text) expect(content).not.toMatch(/xybot|@user|@uid|changeset/)
  })

  test('the built files stay compact', () => {
    const bytes = readdirSync(dir).reduce((sum, name) => sum + readFileSync(join(dir, name)).length, 0)
    expect(bytes).toBeLessThan(20_000_000)
  })
})
