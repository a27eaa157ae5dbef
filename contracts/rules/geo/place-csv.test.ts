import { describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { parsePlaceCsvHeader, parsePlaceCsvRow } from './place-csv.ts'

describe('csv header', () => {
  test('R-3.33 the csv header may have its columns in any order and case', async () => {
    expect(
      await collectFailures(
        [
          ['name,address,type', ['name', 'address', 'type']],
          ['type,name,address', ['type', 'name', 'address']],
          ['NAME,Address,tYPE', ['name', 'address', 'type']],
          [' name , address,type ', ['name', 'address', 'type']],
        ] as const,
        JSON.stringify,
        ([header, order]) => expect(parsePlaceCsvHeader(header.split(','))).toEqual({ order }),
      ),
    ).toEqual([])
  })

  test('R-3.33 a csv header with missing, repeated or unexpected columns is rejected with their names', async () => {
    expect(
      await collectFailures(
        [
          ['name,address', ['type'], []],
          ['', ['name', 'address', 'type'], []],
          ['nom,adresse,type', ['name', 'address'], ['nom', 'adresse']],
          ['name,address,type,radius', [], ['radius']],
          ['name,name,address', ['type'], ['name']],
          ['name,address,type,TYPE', [], ['type']],
          ['__proto__,constructor,type', ['name', 'address'], ['__proto__', 'constructor']],
        ] as const,
        JSON.stringify,
        ([header, missing, unexpected]) => expect(parsePlaceCsvHeader(header.split(','))).toEqual({ missing, unexpected }),
      ),
    ).toEqual([])
  })
})

describe('csv rows', () => {
  const order = ['type', 'name', 'address'] as const

  test('a valid csv row becomes a place, with "store" as shop', async () => {
    expect(
      await collectFailures(
        [
          [['home', 'Den', 'Ellauri 350'], { name: 'Den', address: 'Ellauri 350', type: 'home' }],
          [[' HOME ', ' Den', 'Ellauri 350\r'], { name: 'Den', address: 'Ellauri 350', type: 'home' }],
          [['Store', 'x'.repeat(80), 'y'.repeat(200)], { name: 'x'.repeat(80), address: 'y'.repeat(200), type: 'shop' }],
        ] as const,
        ([cells]) => JSON.stringify(cells),
        ([cells, row]) => expect(parsePlaceCsvRow(cells, order)).toEqual({ row }),
      ),
    ).toEqual([])
  })

  test('R-5.13 an invalid csv row is rejected with the faults of each column', async () => {
    expect(
      await collectFailures(
        [
          [['home', '', 'Ellauri 350'], { name: ['required'] }],
          [['home', 'x'.repeat(81), '  '], { name: ['too_long'], address: ['required'] }],
          [['home', 'Den', 'y'.repeat(201)], { address: ['too_long'] }],
          [['castle', 'Den', 'Ellauri 350'], { type: ['unknown_type'] }],
          [['', '', ''], { name: ['required'], address: ['required'], type: ['required'] }],
          [['home', 'Den'], { row: ['cells'] }],
          [['home', 'Den', 'Ellauri 350', 'Pocitos'], { row: ['cells'] }],
          [[], { row: ['cells'] }],
        ] as const,
        ([cells]) => JSON.stringify(cells),
        ([cells, faults]) => expect(parsePlaceCsvRow(cells, order)).toEqual({ faults }),
      ),
    ).toEqual([])
  })
})
