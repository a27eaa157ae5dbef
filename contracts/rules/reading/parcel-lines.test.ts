import { expect, test } from 'vitest'
import { readParcelLines } from './parcel-lines.ts'

test('lines of order, carrier and parcel are read with commas, semicolons or tabs, without the headings', () => {
  expect(readParcelLines('order,carrier,parcel\r\nORD-1003,DHL,0034\n\nord-1004;"La Poste";6A 1\nORD-1005\tDPD\t\n')).toEqual({
    lines: [
      { order: 'ORD-1003', carrier: 'DHL', tracking: '0034' },
      { order: 'ORD-1004', carrier: 'La Poste', tracking: '6A 1' },
      { order: 'ORD-1005', carrier: 'DPD', tracking: '' },
    ],
    unreadable: [],
  })
})

test('a line without a carrier gets the usual one, and lines that cannot be read are named', () => {
  expect(readParcelLines('ORD-1003,0034\nORD-1004\nsomething\nORD-1,DHL,1,2', 'DHL')).toEqual({
    lines: [
      { order: 'ORD-1003', carrier: 'DHL', tracking: '0034' },
      { order: 'ORD-1004', carrier: 'DHL', tracking: '' },
    ],
    unreadable: [3, 4],
  })
  expect(readParcelLines('ORD-1003,0034').unreadable).toEqual([1])
})
