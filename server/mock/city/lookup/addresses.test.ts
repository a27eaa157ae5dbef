import { beforeAll, describe, expect, test } from 'vitest'
import type { City } from '#server/mock/city/city.ts'
import { openTestCity } from '#server/mock/city/testing.ts'
import { collectFailures } from '#server/test/collect-failures.ts'

let city: City
beforeAll(async () => {
  city = await openTestCity()
})

describe('nearest address', () => {
  test('the nearest address to a point lies in the neighbourhood of that point', async () => {
    const rows = [
      ['Centro', -34.9055, -56.187],
      ['Pocitos', -34.912, -56.15],
      ['Ciudad Vieja', -34.9067, -56.206],
      ['Punta Carretas', -34.921, -56.158],
      ['Carrasco', -34.886, -56.058],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        ([neighbourhood, lat, lng]) => {
          expect(city.nearest({ lat, lng })?.neighbourhood).toBe(neighbourhood)
        },
      ),
    ).toEqual([])
  })

  test('the nearest address to a house is that house', () => {
    const house = city.search('Sarandí 588')[0]!
    const nearest = city.nearest(house)!
    expect(Math.hypot(nearest.lat - house.lat, nearest.lng - house.lng)).toBeLessThan(5e-5)
  })

  test('a nearest address reads as a postal address', () => {
    const { label, street, number, neighbourhood } = city.nearest({ lat: -34.9055, lng: -56.187 })!
    expect(label).toBe(`${street} ${number}, ${neighbourhood}`)
    expect(number).toMatch(/^\d+/)
  })

  test('points far from the city have no nearest address', async () => {
    const rows = [
      ['on the river', -34.95, -56.17],
      ['in another country', 48.2, 16.37],
      ['in the bay', -34.889, -56.225],
    ] as const
    expect(
      await collectFailures(
        rows,
        ([name]) => name,
        ([_, lat, lng]) => {
          expect(city.nearest({ lat, lng })).toBeNull()
        },
      ),
    ).toEqual([])
  })

  test('finding the nearest address takes less than 0.5 ms', () => {
    const start = performance.now()
    for (let step = 0; step < 2000; step++) city.nearest({ lat: -34.9 + (step % 50) * 1e-3, lng: -56.25 + Math.floor(step / 50) * 4e-3 })
    expect((performance.now() - start) / 2000).toBeLessThan(0.5)
  })
})
