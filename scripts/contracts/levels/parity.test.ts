import { expect, test } from 'vitest'
import { ordersOf, shapeDrift, shapeOf } from './parity.ts'

const drift = (here: unknown, there: unknown) => shapeDrift(shapeOf(here), shapeOf(there)).map(({ path, message }) => `${path}: ${message}`)

test.each([
  ['the same fields', { a: 1, b: [{ c: 'x' }] }, { a: 2, b: [{ c: 'y' }, { c: 'z' }] }, []],
  ['a field more, a field less', { a: 1, b: 1 }, { a: 1, c: 1 }, ['b: only here', 'c: only there']],
  ['another type', { at: { lat: '1' } }, { at: { lat: 1 } }, ['at.lat: string here, number there']],
  ['null says nothing', { a: null, b: 'x' }, { a: { c: 1 }, b: null }, []],
  ['an empty list says nothing of its elements', { rows: [] }, { rows: [{ id: 1 }] }, []],
  ['a list is no object', [], { results: [] }, [': list here, object there']],
  ['elements are one', [{ a: 1 }, { a: 'x', b: 1 }], [{ a: 'y' }], ['*.b: only here']],
])('the shape of two answers: %s', (_, here, there, lines) => expect(drift(here, there)).toEqual(lines))

test.each([
  [
    [
      { id: 3, name: 'a', at: null },
      { id: 2, name: 'b', at: null },
    ],
    ['id descending', 'name ascending'],
  ],
  [[{ name: 'a' }, { name: 'c' }, { name: 'b' }], []],
  [[{ id: 1 }], []],
  [[], []],
])('the order of a list is told by the fields that rise or fall: %j', (rows, orders) => expect(ordersOf(rows)).toEqual(orders))
