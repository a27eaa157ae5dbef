import { beforeAll, describe, expect, test } from 'vitest'
import type { City } from '#server/mock/city/city.ts'
import { openTestCity } from '#server/mock/city/testing.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { createWordIndex } from './search.ts'

let city: City
beforeAll(async () => {
  city = await openTestCity()
})

describe('address search', () => {
  test('an address is found in any notation and order of words', async () => {
    const rows = [
      ['Rambla República de Chile 4507', 'Rambla República de Chile 4507, Malvín'],
      ['rambla republica de chile 4507', 'Rambla República de Chile 4507, Malvín'],
      ['18 de Julio 1360', 'Avenida 18 de Julio 1360, Centro'],
      ['1360 18 de julio', 'Avenida 18 de Julio 1360, Centro'],
      ['bulevar artigas 1825', 'Bulevar General Artigas 1825, La Blanqueada'],
      ['BULEVAR GENERAL ARTIGAS 1825', 'Bulevar General Artigas 1825, La Blanqueada'],
      ['Ellauri 350', 'José Ellauri 350, Punta Carretas'],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        ([text, label]) => {
          expect(city.search(text)[0]?.label).toBe(label)
        },
      ),
    ).toEqual([])
  })

  test('abbreviations of street types and titles are understood', async () => {
    const rows = [
      ['av italia 2500', 'Avenida Italia'],
      ['av. gral. rivera 3000', 'Avenida General Rivera'],
      ['cno maldonado 6000', 'Camino Maldonado'],
      ['dr joaquin requena', 'Doctor Joaquín Requena'],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        ([text, street]) => {
          expect(city.search(text)[0]?.street).toBe(street)
        },
      ),
    ).toEqual([])
  })

  test('a search for a missing number finds a house close to it', async () => {
    expect(
      await collectFailures(
        [
          'Avenida Millán 2500',
          'Canelones 1200',
          'Juan Paullier 1500',
          'Durazno 1100',
          'Avenida 8 de Octubre 2800',
          '26 de Marzo 1100',
          'Sarandí 600',
          'Avenida Agraciada 3000',
        ],
        (text) => text,
        (text) => {
          const [best] = city.search(text)
          const asked = Number(text.match(/\d+$/)?.[0])
          expect(Math.abs(Number.parseInt(best?.number ?? '', 10) - asked)).toBeLessThan(100)
          expect(text).toContain(best?.street)
        },
      ),
    ).toEqual([])
  })

  test('a street alone finds its middle house, away from both ends', () => {
    const [best] = city.search('Avenida Italia')
    expect(best?.street).toBe('Avenida Italia')
    expect(Number.parseInt(best?.number ?? '', 10)).toBeGreaterThan(2500)
  })

  test('a house is found although its number has a letter', async () => {
    expect(
      await collectFailures(
        ['Itapeby 3054 P', 'Itapeby 3054 P, Parque Guaraní', 'itapeby 3054 bis'],
        (text) => text,
        (text) => {
          expect(city.search(text)[0]).toMatchObject({ street: 'Itapeby', neighbourhood: 'Parque Guaraní' })
        },
      ),
    ).toEqual([])
  })

  test('an unfinished word finds the street', () => {
    expect(city.search('carlos de la ve').map(({ street }) => street)).toContain('Carlos de la Vega')
  })

  test('a neighbourhood narrows the search, with or without a comma', () => {
    expect(city.search('rivera, pocitos')[0]?.label).toMatch(/^Avenida General Rivera \d+, Pocitos$/)
    expect(city.search('pocitos rivera')[0]?.neighbourhood).toBe('Pocitos')
  })

  test('of two streets with the same name the longer is found first', () => {
    expect(city.search('rivera')[0]?.street).toBe('Avenida General Rivera')
  })

  test('a query of more than twenty words finds nothing', () => {
    expect(city.search(`rivera ${'rivera '.repeat(19)}`).length).toBeGreaterThan(0)
    expect(city.search(`rivera ${'rivera '.repeat(20)}`)).toEqual([])
  })

  test('a query without a match finds nothing', async () => {
    expect(
      await collectFailures(
        ['', '   ', '¿?', 'zzzz', '4507', 'Unter den Linden 1', 'rivera en marte'],
        (text) => `"${text}"`,
        (text) => {
          expect(city.search(text)).toEqual([])
        },
      ),
    ).toEqual([])
  })

  test('a search returns each address once and at most as many as requested', () => {
    expect(city.search('general', 3)).toHaveLength(3)
    const labels = city.search('general', 50).map(({ label }) => label)
    expect(new Set(labels).size).toBe(labels.length)
    expect(city.search('general')).toHaveLength(8)
  })

  test('the position found is that of the address', () => {
    const found = city.search('18 de Julio 1360')[0]!
    expect(city.nearest(found)?.neighbourhood).toBe('Centro')
    expect(found.lat).toBeCloseTo(-34.9055, 2)
    expect(found.lng).toBeCloseTo(-56.187, 2)
  })
})

const matches = createWordIndex([['avenida', 'rivera'], ['riverside'], ['rio', 'rivera', 'riveras'], []])

test('a word matches names that contain it or a word it begins', async () => {
  const rows = [
    ['rivera', { 0: 'is', 2: 'is' }],
    ['river', { 0: 'begins', 1: 'begins', 2: 'begins' }],
    ['rivers', { 1: 'begins' }],
    ['riveras', { 2: 'is' }],
    ['a', { 0: 'begins' }],
    ['z', {}],
    ['riverae', {}],
  ] as const
  expect(
    await collectFailures(
      rows,
      ([name]) => name,
      ([word, expected]) => {
        expect(Object.fromEntries(matches(word))).toEqual(expected)
      },
    ),
  ).toEqual([])
})
