import { beforeAll, describe, expect, test } from 'vitest'
import type { City, Position } from '#server/mock/city/city.ts'
import { openTestCity } from '#server/mock/city/testing.ts'
import { collectFailures } from '#server/test/collect-failures.ts'

let rings: Position[][] = []
let city: City
beforeAll(async () => {
  city = await openTestCity()
  rings = city.shapes('land').flatMap(({ lines }) => lines)
})

const isLand = (lat: number, lng: number) => {
  let isInside = false
  for (const ring of rings) {
    ring.forEach(([x, y], index) => {
      const [beforeX, beforeY] = ring.at(index - 1)!
      if (y > lat !== beforeY > lat && lng < ((beforeX - x) * (lat - y)) / (beforeY - y) + x) isInside = !isInside
    })
  }
  return isInside
}

describe('coast', () => {
  test('points at sea are water', async () => {
    const rows = [
      ['off Punta Carretas', -34.95, -56.17],
      ['the bay', -34.889, -56.225],
      ['off Pocitos', -34.922, -56.14],
      ['off Carrasco', -34.905, -56.04],
      ['off the Cerro', -34.915, -56.26],
      ['the open river', -34.99, -56.2],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        ([_, lat, lng]) => {
          expect(isLand(lat, lng)).toBe(false)
        },
      ),
    ).toEqual([])
  })

  test('points in the city are land', async () => {
    const rows = [
      ['the centre', -34.905, -56.19],
      ['Ciudad Vieja', -34.907, -56.207],
      ['Punta Carretas', -34.924, -56.159],
      ['the Cerro', -34.888, -56.26],
      ['the airport', -34.833, -56.02],
      ['the marshes', -34.845, -56.09],
      ['the north', -34.82, -56.2],
      ['the rural west', -34.84, -56.31],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        ([_, lat, lng]) => {
          expect(isLand(lat, lng)).toBe(true)
        },
      ),
    ).toEqual([])
  })

  test('no house lies in the water', () => {
    for (const street of ['Rambla República de Chile', 'Rambla República del Perú', 'Sarandí', 'Grecia', 'Rambla O’Higgins']) {
      for (const { lat, lng } of city.search(street)) expect(isLand(lat, lng)).toBe(true)
    }
  })

  test('the coast includes islands', () => {
    expect(rings.length).toBeGreaterThan(5)
  })
})
