import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { type Quantity, readMeasure, readNumber, splitUnit } from './number.ts'

test('a number is read with a point or a comma, in the digits of any script', async () => {
  const rows: [unknown, number | undefined][] = [
    [12, 12],
    ['12', 12],
    [' 12.5 ', 12.5],
    ['12,5', 12.5],
    ['-34,9', -34.9],
    ['−34.9', -34.9],
    ['+.5', 0.5],
    ['5.', 5],
    ['1e3', 1000],
    ['1.5E-2', 0.015],
    ['۱۲٫۵', 12.5],
    ['٣٤', 34],
    ['１２', 12],
    ['1,234.5', 1234.5],
    ['1.234,5', 1234.5],
    ["1'234.5", 1234.5],
    ['12 345', 12345],
    ['', undefined],
    ['1,2,3', undefined],
    ['1.2.3', undefined],
    ['12 m', undefined],
    ['0x10', undefined],
    ['NaN', undefined],
    ['1e999', undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    [true, undefined],
    [null, undefined],
    [[5], undefined],
  ]
  expect(
    await collectFailures(
      rows,
      ([text]) => String(text),
      ([text, number]) => expect(readNumber(text)).toBe(number),
    ),
  ).toEqual([])
})

test("a measurement is read in the unit of its text or of its column's name", async () => {
  const rows: [unknown, Quantity, string | undefined, number | undefined][] = [
    [36, 'speed', undefined, 36],
    [10, 'speed', 'm/s', 36],
    ['10', 'speed', 'mps', 36],
    ['10 m/s', 'speed', undefined, 36],
    ['10 mph', 'speed', undefined, 16.09344],
    ['10', 'speed', 'mph', 16.09344],
    ['10kn', 'speed', undefined, 18.52],
    ['10', 'speed', 'Knots', 18.52],
    ['36,5 km/h', 'speed', 'mph', 36.5],
    ['12 m', 'length', undefined, 12],
    ['100 ft', 'length', undefined, 30.48],
    ['100', 'length', 'feet', 30.48],
    ['1.2 km', 'length', undefined, 1200],
    ['270°', 'angle', undefined, 270],
    ['87 %', 'share', undefined, 87],
    ['3,6V', 'voltage', undefined, 3.6],
    ['3612 mV', 'voltage', undefined, 3.612],
    ['12 m', 'speed', undefined, undefined],
    ['12 parsecs', 'length', undefined, undefined],
    [12, 'length', 'parsecs', undefined],
    ['fast', 'speed', undefined, undefined],
    ['', 'speed', undefined, undefined],
  ]
  expect(
    await collectFailures(
      rows,
      ([value, , unit]) => `${value} ${unit ?? ''}`,
      ([value, quantity, unit, read]) => expect(readMeasure(value, quantity, unit)).toBe(read),
    ),
  ).toEqual([])
})

test('a unit is split off the name of a column', async () => {
  const rows: [string, Quantity, { name: string; unit?: string }][] = [
    ['speed_kmh', 'speed', { name: 'speed', unit: 'kmh' }],
    ['speed (mph)', 'speed', { name: 'speed', unit: 'mph' }],
    ['Speed [m/s]', 'speed', { name: 'Speed', unit: 'm/s' }],
    ['Speed, km/h', 'speed', { name: 'Speed', unit: 'km/h' }],
    ['speedKmh', 'speed', { name: 'speed', unit: 'Kmh' }],
    ['speed_m_s', 'speed', { name: 'speed', unit: 'ms' }],
    ['alt_ft', 'length', { name: 'alt', unit: 'ft' }],
    ['Altitude(m)', 'length', { name: 'Altitude', unit: 'm' }],
    ['horizontal_accuracy', 'length', { name: 'horizontal_accuracy' }],
    ['speed', 'speed', { name: 'speed' }],
    ['m', 'length', { name: 'm' }],
  ]
  expect(
    await collectFailures(
      rows,
      ([name]) => name,
      ([name, quantity, split]) => expect(splitUnit(name, quantity)).toEqual(split),
    ),
  ).toEqual([])
})

test('a text longer than any number is rejected, whatever it begins with', () => {
  for (const text of ['1'.repeat(101), `1${' '.repeat(101)}`, `1,${'1'.repeat(100_000)}!`]) {
    expect(readNumber(text)).toBeUndefined()
    expect(readMeasure(text, 'length')).toBeUndefined()
  }
  expect(readNumber(`1.${'0'.repeat(40)}1`)).toBe(1)
})
