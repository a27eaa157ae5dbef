import { describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { Email, IdParams, Instant, Latitude, Longitude, open, Text, Whole } from './common.ts'
import { SUB_STATES } from './constants.ts'

const takes = (schema: z.ZodMiniType, value: unknown) => schema.safeParse(value).success

describe('R-5.5 an e-mail address', () => {
  test.each([
    ['a.b+c@d.co', 'a.b+c@d.co'],
    ['  Alice@Example.COM ', 'alice@example.com'],
    ['x@sub.domain.example', 'x@sub.domain.example'],
    ['josé@correo.es', 'josé@correo.es'],
    ["o'hara@example.ie", "o'hara@example.ie"],
  ])('%j is taken as %s', (text, address) => expect(Email.parse(text)).toBe(address))

  test.each([
    '',
    ' ',
    'a',
    'a@b',
    '@c.de',
    'a b@c.de',
    'a@b c.de',
    'a@@b.de',
    'a@.de',
    'a@b.',
    'a@b..de',
    'a@b.de.',
    `${'a'.repeat(250)}@b.de`,
  ])('%j is refused', (text) => expect(takes(Email, text)).toBe(false))

  test.each([null, undefined, 7, {}, ['a@b.de']])('%j is none', (value) => expect(takes(Email, value)).toBe(false))
})

describe('an instant', () => {
  test.each(['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.123Z', '2200-01-01T00:00:00Z', '2024-02-29T00:00:00Z'])('%s is one', (text) => {
    expect(takes(Instant, text)).toBe(true)
  })

  test.each([
    '2026-03-01',
    '2026-03-01T12:00:00',
    '2026-03-01T12:00:00+01:00',
    '2026-03-01 12:00:00Z',
    '2026-13-01T12:00:00Z',
    '2026-02-29T12:00:00Z',
    '2026-03-01T24:01:00Z',
    'yesterday',
    '',
    1_772_366_400_000,
    null,
  ])('%j is none', (value) => expect(takes(Instant, value)).toBe(false))
})

describe('a whole number of a path', () => {
  test.each([
    ['0', 0],
    ['7', 7],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('%j is %i', (text, number) => expect(Whole.parse(text)).toBe(number))

  test.each(['-1', '1.5', 'x', '1x', '9007199254740993', 'NaN', 'Infinity', '1e400'])('%j is none', (text) =>
    expect(takes(Whole, text)).toBe(false),
  )

  test('names an object', () => {
    expect(IdParams.parse({ id: '12' })).toEqual({ id: 12 })
    expect(takes(IdParams, {})).toBe(false)
    expect(takes(IdParams, { id: 'rex' })).toBe(false)
  })
})

describe('a text', () => {
  const name = Text(1, 5)

  test.each([
    ['Rex', 'Rex'],
    ['  Rex  ', 'Rex'],
    ['自転車', '自転車'],
    ['12345', '12345'],
    [' 12345 ', '12345'],
  ])('%j is taken as %j', (text, kept) => expect(name.parse(text)).toBe(kept))

  test.each(['', '   ', '\n', '123456', null, 3])('%j is refused', (text) => expect(takes(name, text)).toBe(false))
})

describe('a place on earth', () => {
  test.each([
    [90, 180],
    [-90, -180],
    [0, 0],
    [-34.9, -56.16],
  ])('%d, %d is one', (lat, lng) => expect([takes(Latitude, lat), takes(Longitude, lng)]).toEqual([true, true]))

  test.each([
    [90.0001, 180.0001],
    [-91, -181],
    [Number.NaN, Number.POSITIVE_INFINITY],
    ['-34.9', '-56.1'],
    [null, undefined],
  ])('%j, %j is none', (lat, lng) => expect([takes(Latitude, lat), takes(Longitude, lng)]).toEqual([false, false]))
})

describe('R-3.21 a list another backend may add to', () => {
  const state = open(SUB_STATES)

  test.each([...SUB_STATES, 'paused'])('keeps %s as it is', (value) => expect(state.parse(value)).toBe(value))

  test.each([null, 1, {}])('refuses %j', (value) => expect(takes(state, value)).toBe(false))
})
