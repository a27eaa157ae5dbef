import { expect, test } from 'vitest'
import { fromPlane, toPlane } from '#server/mock/city/frame.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { createNeighbourhoods } from './address-book.ts'
import { normalizeWords } from './words.ts'

test('streets are reduced to normalized words', async () => {
  const rows = [
    ['Rambla República de Chile', 'rambla republica de chile'],
    ['  AV.  Italia ', 'avenida italia'],
    ['Gral. Flores', 'general flores'],
    ['Ñuñoa/Güemes', 'nunoa guemes'],
    ['26 de Marzo', '26 de marzo'],
    ['“O’Higgins”', 'o higgins'],
    ['', ''],
  ] as const
  expect(
    await collectFailures(
      rows,
      ([text]) => `"${text}"`,
      ([text, words]) => expect(normalizeWords(text).join(' ')).toBe(words),
    ),
  ).toEqual([])
})

const place = (kind: string, name: string, x: number, y: number) => {
  const { lat, lng } = fromPlane(x, y)
  return { kind, name, geometry: 'point' as const, lines: [[[lng, lat] as [number, number]]] }
}

test('a point lies in the settlement around it, else in the nearest suburb', () => {
  const hoods = createNeighbourhoods([
    place('suburb', 'Buceo', 0, 0),
    place('suburb', 'Unión', 2000, 0),
    place('neighbourhood', 'Los Milagros', 900, 0),
    place('capital', 'Montevideo', 950, 300),
  ])
  const nameAt = (x: number, y: number) => hoods.names[hoods.findIndex(x, y)]
  expect(nameAt(100, 100)).toBe('Buceo')
  expect(nameAt(1500, 0)).toBe('Unión')
  expect(nameAt(950, 50)).toBe('Los Milagros')
  expect(nameAt(900, 400)).toBe('Buceo')
  expect(hoods.findIndex(20_000, 20_000)).toBe(-1)
})

test('the plane returns positions to 0.1 m', () => {
  const { x, y } = toPlane({ lat: -34.905, lng: -56.19 })
  expect(fromPlane(x, y)).toEqual({ lat: -34.905, lng: -56.19 })
})
