import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type City, LAYERS } from '#server/mock/city/city.ts'
import { LAYOUT_VERSION } from '#server/mock/city/city-files.ts'
import { openTestCity } from '#server/mock/city/testing.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { openCity } from './open-city.ts'

let city: City
beforeAll(async () => {
  city = await openTestCity()
})

describe('opening the city', () => {
  test('opening a missing city says how to build it', () => {
    expect(() => openCity('/nowhere/city')).toThrow(/not built in \/nowhere\/city: run "npm run build"/)
  })

  test('files of another version are refused', () => {
    const dir = mkdtempSync(join(tmpdir(), 'old-city-'))
    writeFileSync(join(dir, 'city.json'), JSON.stringify({ layout: LAYOUT_VERSION - 1 }))
    expect(() => openCity(dir)).toThrow(/another version/)
  })

  test('the centre lies within the bounds', () => {
    const { bounds, center } = city
    expect(center.lat).toBeGreaterThan(bounds.south)
    expect(center.lat).toBeLessThan(bounds.north)
    expect(center.lng).toBeGreaterThan(bounds.west)
    expect(center.lng).toBeLessThan(bounds.east)
  })

  test('every layer has shapes, which are read only once', async () => {
    expect(
      await collectFailures(LAYERS, String, (layer) => {
        const shapes = city.shapes(layer)
        expect(shapes.length).toBeGreaterThan(0)
        expect(shapes.every(({ lines }) => lines.length > 0 && lines.every((line) => line.length > 0))).toBe(true)
        expect(city.shapes(layer)).toBe(shapes)
      }),
    ).toEqual([])
  })

  test("the city's shapes lie within its bounds", () => {
    const { bounds } = city
    const positions = (['road', 'green', 'building', 'place'] as const).flatMap((layer) =>
      city.shapes(layer).flatMap(({ lines }) => lines.flat()),
    )
    const strays = positions.filter(
      ([lng, lat]) => lng < bounds.west - 1e-6 || lng > bounds.east + 1e-6 || lat < bounds.south - 1e-6 || lat > bounds.north + 1e-6,
    )
    expect(strays).toEqual([])
  })

  test('neighbourhoods are spelled as the city spells them', () => {
    const names = city.shapes('place').map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['Belvedere', 'Pocitos', 'Ciudad Vieja', 'Malvín', 'Parque Rodó']))
    expect(names).not.toContain('Malvín Nuevo')
    expect(names.length).toBeGreaterThan(80)
  })
})
