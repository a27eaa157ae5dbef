import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import {
  advanceCrossing,
  findContainingPlace,
  isInsidePlace,
  PLACE_TYPES,
  parsePlaceType,
  staysOutside,
  UNKNOWN_CROSSING,
} from './place.ts'

const home = { lat: -34.9, lng: -56.2, radius: 200 }

/** A fix the given number of metres north of home. */
const at = (meters: number, precision = 10) => ({ lat: home.lat + meters / 111_195.08, lng: home.lng, precision })

const events = (fixes: ReturnType<typeof at>[]) => {
  let state = UNKNOWN_CROSSING
  return fixes.map((fix) => {
    const step = advanceCrossing(state, fix, home)
    state = step.state
    return step.event
  })
}

test('R-3.31 a place is a circle of its radius', () => {
  expect([0, 199, 201].map((meters) => isInsidePlace(at(meters), home))).toEqual([true, true, false])
})

test('R-1.9 a position inside nested places gets the name of the smallest', () => {
  const country = { ...home, radius: 10_000 }
  expect(findContainingPlace([country, home], at(0))).toBe(home)
  expect(findContainingPlace([country, home], at(1000))).toBe(country)
  expect([findContainingPlace([home], at(1000)), findContainingPlace([home], null)]).toEqual([undefined, undefined])
})

test.each([
  ['R-1.11 a fix inside after one outside enters the place', [at(500), at(0)], [null, 'enter']],
  ['R-3.37 a fix outside after one inside leaves the place', [at(0), at(500)], [null, 'leave']],
  ['the first known position inside fires nothing', [at(0)], [null]],
  ['the first known position outside fires nothing', [at(500)], [null]],
  ['each crossing fires once', [at(500), at(0), at(5), at(500), at(600), at(0)], [null, 'enter', null, 'leave', null, 'enter']],
  ['a single fix near the border fires nothing', [at(0), at(205), at(0)], [null, null, null]],
  ['a fix one precision outside fires nothing', [at(0), at(211)], [null, null]],
  ['several fixes beyond the border fire together', [at(0), at(225), at(225)], [null, null, 'leave']],
  ['fixes between them on the known side start over', [at(0), at(225), at(195), at(225)], [null, null, null, null]],
  ['drift back and forth across the border fires nothing', [at(0), at(205), at(195), at(205), at(195)], [null, null, null, null, null]],
  ['a fix less accurate than the radius is ignored', [at(0), at(1000, 200), at(1000, 5000), at(0)], [null, null, null, null]],
  ['an unclear first position does not make the side known', [at(205), at(0)], [null, null]],
  ['two agreeing unclear positions make the side known', [at(205), at(206), at(0)], [null, null, 'enter']],
])('%s', (_words, fixes, expected) => {
  expect(events(fixes)).toEqual(expected)
})

test('R-3.37 entering and leaving alternate, and the state survives JSON', () => {
  const fixes = fc.array(fc.tuple(fc.integer({ min: 0, max: 450 }), fc.integer({ min: 1, max: 300 })), { maxLength: 60 })
  fc.assert(
    fc.property(fixes, (samples) => {
      let state = UNKNOWN_CROSSING
      let last: string | null = null
      for (const [meters, precision] of samples) {
        const step = advanceCrossing(JSON.parse(JSON.stringify(state)), at(meters, precision), home)
        state = step.state
        if (step.event) expect(step.event).not.toBe(last)
        last = step.event ?? last
      }
    }),
  )
})

test('R-3.30 R-5.13 every place type is accepted in any case', async () => {
  expect(
    await collectFailures(PLACE_TYPES, String, (type) => {
      expect(parsePlaceType(type)).toBe(type)
      expect(parsePlaceType(` ${type.toUpperCase()} `)).toBe(type)
    }),
  ).toEqual([])
})

test('R-3.30 R-5.13 "store" is a shop, and an unknown place type is rejected', async () => {
  expect(
    await collectFailures(
      [
        ['store', 'shop'],
        ['Store', 'shop'],
        ['castle', null],
        ['', null],
      ] as const,
      JSON.stringify,
      ([text, type]) => {
        expect(parsePlaceType(text)).toBe(type)
      },
    ),
  ).toEqual([])
})

test('a fix that is far away by latitude changes nothing for a tracker outside', () => {
  const outside = { inside: false, leaning: null }
  const step = advanceCrossing(outside, at(300), home)
  expect(staysOutside(outside, at(300), home)).toBe(true)
  expect(step).toEqual({ state: outside, event: null })
  expect(
    [{ inside: true, leaning: null }, { inside: false, leaning: true }, UNKNOWN_CROSSING].map((state) =>
      staysOutside(state, at(300), home),
    ),
  ).toEqual([false, false, false])
})

test('no fix that could be within its precision of the border counts as far away', () => {
  const outside = { inside: false, leaning: null }
  fc.assert(
    fc.property(
      fc.double({ min: -89, max: 89, noNaN: true }),
      fc.integer({ min: -600, max: 600 }),
      fc.integer({ min: 1, max: 199 }),
      (lat, meters, precision) => {
        const place = { lat, lng: 10, radius: 200 }
        const fix = { lat: lat + meters / 111_195.08, lng: 10, precision }
        if (staysOutside(outside, fix, place)) expect(Math.abs(meters)).toBeGreaterThan(200 + precision)
      },
    ),
  )
})
