import { describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { formatPlaceCsv, parsePlaceCsvHeader, parsePlaceCsvRow } from './place-csv.ts'
import type { Shape } from './shape.ts'

describe('csv header', () => {
  test('R-3.33 the csv header may have its columns in any order and case', async () => {
    expect(
      await collectFailures(
        [
          ['name,address,type', ['name', 'address', 'type']],
          ['type,name,address', ['type', 'name', 'address']],
          ['NAME,Address,tYPE', ['name', 'address', 'type']],
          ['name,address,type,border,meters', ['name', 'address', 'type', 'border', 'meters']],
          ['Meters,name,address,type', ['meters', 'name', 'address', 'type']],
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
        ([cells, row]) => expect(parsePlaceCsvRow(cells, order)).toEqual({ row: { ...row, radius: 200, border: null } }),
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

describe('borders in a csv', () => {
  const order = ['name', 'address', 'type', 'border', 'meters'] as const
  const read = (border: string, meters = '') => {
    const result = parsePlaceCsvRow(['Den', 'Ellauri 350', 'home', border, meters], order)
    return 'row' in result ? [result.row.radius, result.row.border] : result.faults
  }
  const AREA: Shape = {
    type: 'polygon',
    points: [
      [-34.9, -56.1],
      [-34.9, -56.2],
      [-34.8, -56.2],
    ],
  }

  test('a border is a circle, an area or a way as well-known text, with the metres beside it', async () => {
    const way = { type: 'corridor', points: [AREA.points[0], AREA.points[1]] }
    expect(
      await collectFailures(
        [
          ['', '', [200, null]],
          ['', '350', [350, null]],
          ['POINT (-56.1 -34.9)', '350', [350, { shape: null, lat: -34.9, lng: -56.1, radius: 350 }]],
          ['point(-5.61e1 -34.9)', '', [200, { shape: null, lat: -34.9, lng: -56.1, radius: 200 }]],
          ['POLYGON ((-56.1 -34.9, -56.2 -34.9, -56.2 -34.8, -56.1 -34.9))', '', [200, { shape: AREA }]],
          ['POLYGON((-56.1 -34.9,-56.2 -34.9,-56.2 -34.8))', '', [200, { shape: AREA }]],
          ['LINESTRING (-56.1 -34.9, -56.2 -34.9)', '30', [30, { shape: { ...way, width: 30 } }]],
          ['LINESTRING (-56.1 -34.9, -56.2 -34.9)', '', [200, { shape: { ...way, width: 100 } }]],
        ] as const,
        JSON.stringify,
        ([border, meters, expected]) => expect(read(border, meters)).toEqual(expected),
      ),
    ).toEqual([])
  })

  test('a border or metres that are no valid ones are reported in their column', async () => {
    expect(
      await collectFailures(
        [
          ['POINT (-56.1)', '', { border: ['bad_border'] }],
          ['POINT (-56.1 -94.9)', '', { border: ['bad_border'] }],
          ['POINT EMPTY', '', { border: ['bad_border'] }],
          ['CIRCLE (-56.1 -34.9)', '', { border: ['bad_border'] }],
          ['POLYGON ((-56.1 -34.9, -56.2 -34.9))', '', { border: ['bad_border'] }],
          ['POLYGON ((0 0, 0 0.1, 0.1 0, 0.1 0.1, 0 0))', '', { border: ['bad_border'] }],
          ['MULTIPOLYGON (((-56.1 -34.9, -56.2 -34.9, -56.2 -34.8)))', '', { border: ['bad_border'] }],
          [`POLYGON ((${'0 0,'.repeat(1000)}1 1))`, '', { border: ['bad_border'] }],
          ['', '12', { meters: ['bad_meters'] }],
          ['', 'far', { meters: ['bad_meters'] }],
          ['POINT (-56.1 -34.9)', '10001', { meters: ['bad_meters'] }],
          ['LINESTRING (-56.1 -34.9, -56.2 -34.9)', '5000', { meters: ['bad_meters'] }],
        ] as const,
        JSON.stringify,
        ([border, meters, faults]) => expect(read(border, meters)).toEqual(faults),
      ),
    ).toEqual([])
  })

  test('a file of places has their borders, and no cell that a spreadsheet would run', () => {
    const circle = { address: 'Ellauri 350, Pocitos', type: 'home', lat: -34.9, lng: -56.1, radius: 150 }
    const text = formatPlaceCsv([
      { ...circle, name: '=1+1' },
      { ...circle, name: "'=1+1", shape: AREA },
      { ...circle, name: 'The "Den"', shape: { type: 'corridor', points: AREA.points, width: 40 } },
    ])
    expect(text.split('\r\n')).toEqual([
      '\uFEFFname,address,type,border,meters',
      `'=1+1,"Ellauri 350, Pocitos",home,POINT (-56.1 -34.9),150`,
      `''=1+1,"Ellauri 350, Pocitos",home,"POLYGON ((-56.1 -34.9, -56.2 -34.9, -56.2 -34.8, -56.1 -34.9))",`,
      `"The ""Den""","Ellauri 350, Pocitos",home,"LINESTRING (-56.1 -34.9, -56.2 -34.9, -56.2 -34.8)",40`,
      '',
    ])
  })
})
