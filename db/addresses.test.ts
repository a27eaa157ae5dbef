import { expect, test } from 'vitest'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { addressOf } from './addresses.ts'

function counted(label: string | null) {
  const asked: LatLng[] = []
  const nearest = (point: LatLng) => {
    asked.push(point)
    return label === null ? null : { ...point, label, street: label, number: '1', neighbourhood: null }
  }
  return { asked, nearest }
}

test('the address of fixes at the same house is looked up once', () => {
  const { asked, nearest } = counted('Rambla 1')
  const labels = [-34.90001, -34.90002, -34.90003].map((lat) => addressOf(nearest, { lat, lng: -56.1 }))
  expect([labels, asked.length]).toEqual([['Rambla 1', 'Rambla 1', 'Rambla 1'], 1])
})

test('the address of a fix does not depend on which fix was looked up first', () => {
  const fixes = [-34.90004, -34.9, -34.89996].map((lat) => ({ lat, lng: -56.1 }))
  const told = (points: LatLng[]) => {
    const nearest = (point: LatLng) => ({ ...point, label: `Rambla ${point.lat}`, street: 'Rambla', number: '1', neighbourhood: null })
    return points.map((point) => addressOf(nearest, point))
  }
  expect(told(fixes.toReversed())).toEqual(told(fixes).toReversed())
})

test('the address of a fix some houses further is looked up again', () => {
  const { asked, nearest } = counted('Rambla 1')
  for (const lng of [-56.1, -56.101, -56.102]) addressOf(nearest, { lat: -34.9, lng })
  expect(asked).toHaveLength(3)
})

test('the absence of an address is cached as well', () => {
  const { asked, nearest } = counted(null)
  expect([addressOf(nearest, { lat: 0, lng: 0 }), addressOf(nearest, { lat: 0, lng: 0 })]).toEqual([null, null])
  expect(asked).toHaveLength(1)
})

test('two geocoders do not share their cache', () => {
  const [one, other] = [counted('One 1'), counted('Other 1')]
  expect([addressOf(one.nearest, { lat: 1, lng: 1 }), addressOf(other.nearest, { lat: 1, lng: 1 })]).toEqual(['One 1', 'Other 1'])
})
