import { describe, expect, test } from 'vitest'
import { placeCsvHeader, placeCsvRow } from './place-csv.ts'

describe('R-3.33 the header of a csv of places', () => {
  test.each([
    ['name,address,type', ['name', 'address', 'type']],
    ['type,name,address', ['type', 'name', 'address']],
    ['NAME,Address,tYPE', ['name', 'address', 'type']],
    [' name , address,type ', ['name', 'address', 'type']],
  ])('%s is one', (header, order) => expect(placeCsvHeader(header.split(','))).toEqual({ order }))

  test.each([
    ['name,address', ['type'], []],
    ['', ['name', 'address', 'type'], ['']],
    ['nom,adresse,type', ['name', 'address'], ['nom', 'adresse']],
    ['name,address,type,radius', [], ['radius']],
    ['name,address,type,', [], ['']],
    ['name,name,address', ['type'], ['name']],
    ['name,address,type,TYPE', [], ['type']],
    ['__proto__,constructor,type', ['name', 'address'], ['__proto__', 'constructor']],
  ])('%j is none', (header, missing, unexpected) => expect(placeCsvHeader(header.split(','))).toEqual({ missing, unexpected }))
})

describe('D-28 a row of a csv of places', () => {
  const order = ['type', 'name', 'address'] as const

  test.each([
    [['home', 'Den', 'Ellauri 350'], { name: 'Den', address: 'Ellauri 350', type: 'home' }],
    [[' HOME ', ' Den', 'Ellauri 350\r'], { name: 'Den', address: 'Ellauri 350', type: 'home' }],
    [['Store', 'x'.repeat(80), 'y'.repeat(200)], { name: 'x'.repeat(80), address: 'y'.repeat(200), type: 'shop' }],
  ])('C-23 %j is a place', (cells, row) => expect(placeCsvRow(cells, order)).toEqual({ row }))

  test.each([
    [['home', '', 'Ellauri 350'], { name: ['required'] }],
    [['home', 'x'.repeat(81), '  '], { name: ['too_long'], address: ['required'] }],
    [['home', 'Den', 'y'.repeat(201)], { address: ['too_long'] }],
    [['castle', 'Den', 'Ellauri 350'], { type: ['unknown_type'] }],
    [['', '', ''], { name: ['required'], address: ['required'], type: ['required'] }],
    [['home', 'Den'], { row: ['cells'] }],
    [['home', 'Den', 'Ellauri 350', 'Pocitos'], { row: ['cells'] }],
    [[], { row: ['cells'] }],
  ])('R-5.13 %j is refused', (cells, faults) => expect(placeCsvRow(cells, order)).toEqual({ faults }))
})
