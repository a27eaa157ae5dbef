import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { collectShape, shapeDrift, sortOrders } from './parity.ts'

const drift = (here: unknown, there: unknown) =>
  shapeDrift(collectShape(here), collectShape(there)).map(({ path, message }) => `${path}: ${message}`)

const SHAPES: [name: string, here: unknown, there: unknown, drift: string[]][] = [
  ['the same fields', { a: 1, b: [{ c: 'x' }] }, { a: 2, b: [{ c: 'y' }, { c: 'z' }] }, []],
  ['an extra and a missing field', { a: 1, b: 1 }, { a: 1, c: 1 }, ['b: only here', 'c: only there']],
  ['another type', { at: { lat: '1' } }, { at: { lat: 1 } }, ['at.lat: string here, number there']],
  ['null is compatible with any type', { a: null, b: 'x' }, { a: { c: 1 }, b: null }, []],
  ['an empty list is compatible with any elements', { rows: [] }, { rows: [{ id: 1 }] }, []],
  ['a list is not an object', [], { results: [] }, [': list here, object there']],
  ['all elements share one shape', [{ a: 1 }, { a: 'x', b: 1 }], [{ a: 'y' }], ['*.b: only here']],
]

test('two responses differ in shape by the fields that one lacks or has in another type', async () => {
  expect(
    await collectFailures(
      SHAPES,
      ([name]) => name,
      ([, here, there, lines]) => expect(drift(here, there)).toEqual(lines),
    ),
  ).toEqual([])
})

test('the order of a list is described by each field that rises or falls throughout', () => {
  const rows = [
    { id: 3, name: 'a', at: null },
    { id: 2, name: 'b', at: null },
  ]
  expect(sortOrders(rows)).toEqual(['id descending', 'name ascending'])
  expect([[{ name: 'a' }, { name: 'c' }, { name: 'b' }], [{ id: 1 }], []].map(sortOrders)).toEqual([[], [], []])
})
