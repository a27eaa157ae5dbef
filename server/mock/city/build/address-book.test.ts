import Flatbush from 'flatbush'
import { describe, expect, test } from 'vitest'
import type { Position, Shape } from '#server/mock/city/city.ts'
import { CITY_BOUNDS } from '#server/mock/city/frame.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { buildAddressBook, NO_HOOD } from './address-book.ts'
import type { OsmFeature } from './read-tiles.ts'

const at = (x: number, y: number): Position => [CITY_BOUNDS.west + x, CITY_BOUNDS.south + y]
let id = 0
const house = (street: string, number: string, x = 0.1, y = 0.1): OsmFeature => {
  return { id: id++, geometry: 'point', tags: { 'addr:street': street, 'addr:housenumber': number }, lines: [[at(x, y)]] }
}
const goes: Shape = { kind: 'suburb', name: 'Goes', geometry: 'point', lines: [[at(0.1, 0.1)]] }
const numbersOf = (features: OsmFeature[]) => buildAddressBook(features, []).notes.numbers.split('\n')

describe('address book', () => {
  test('houses are ordered by street, then by number, whatever the input order', () => {
    const { notes, columns } = buildAddressBook([house('Minas', '20'), house('Ágora', '9'), house('Minas', '3'), house('Minas', '100')], [])
    expect(notes.streets).toEqual(['Ágora', 'Minas'])
    expect(notes.numbers).toBe('9\n3\n20\n100')
    expect([...columns.starts]).toEqual([0, 1, 4])
  })

  test('a house is listed once although shops repeat its address', () => {
    expect(numbersOf([house('Minas', '20'), house('Minas', '20', 0.11), house('Minas', '22')])).toEqual(['20', '22'])
  })

  test('all numbers of a house are stored in one normalized notation', () => {
    expect(numbersOf([house('Minas', '1196; 1196 BIS , 1198')])).toEqual(['1196,1196 BIS,1198'])
  })

  test('houses without a usable number are left out', async () => {
    expect(
      await collectFailures(
        ['', 'S/N', 'local 3', '0'],
        (number) => `number "${number}"`,
        (number) => {
          expect(numbersOf([house('Minas', '1'), house('Minas', number)])).toEqual(['1'])
        },
      ),
    ).toEqual([])
  })

  test('a house has the index of its neighbourhood, or none', () => {
    const { columns, notes } = buildAddressBook([house('Minas', '1'), house('Minas', '2', 0.3)], [goes])
    expect(notes.hoods[columns.hood[0]!]).toBe('Goes')
    expect(columns.hood[1]).toBe(NO_HOOD)
  })

  test('the address book includes a spatial index of the houses', () => {
    const { columns } = buildAddressBook([house('Minas', '1'), house('Minas', '2', 0.2)], [])
    const index = Flatbush.from(columns.index.buffer)
    expect(index.neighbors(columns.x[1]!, columns.y[1]!, 1)).toEqual([1])
  })
})
