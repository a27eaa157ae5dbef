import { describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { Email, Text } from '#contracts/rules/reading/text-fields.ts'
import { SUB_STATES } from '#contracts/rules/subscription.ts'
import { compareIds } from '#contracts/rules/text.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { IdParams, Instant, Latitude, Longitude, openEnum, parseId, Whole } from './common.ts'

const takes = (schema: z.ZodMiniType, value: unknown) => schema.safeParse(value).success

describe('ids', () => {
  test.each([
    ['17', 17],
    ['0', 0],
    ['5f0c-9a', '5f0c-9a'],
    ['1e3', '1e3'],
    ['017', '017'],
    ['12345678901234567890', '12345678901234567890'],
    ['', ''],
    [null, ''],
    [undefined, ''],
  ])('%s is read as the id %s', (text, id) => {
    expect(parseId(text)).toBe(id)
  })

  test('ids are sorted as numbers or as text', () => {
    expect([10, 9, 100].toSorted(compareIds)).toEqual([9, 10, 100])
    expect(['b-2', 'a-9', 'a-10'].map(parseId).toSorted(compareIds)).toEqual(['a-10', 'a-9', 'b-2'])
  })
})

describe('e-mail addresses', () => {
  test('an e-mail address with control or separating characters, or a long local part, is rejected', async () => {
    const rows = ['a\u0000b@d.example', 'a<b@d.example', 'a>@d.example', 'a,b@d.example', 'a;b@d.example', '"a"@d.example', 'a@[127.0.0.1]']
    const failures = await collectFailures([...rows, `${'a'.repeat(65)}@d.example`, 'a@d.exam,ple'], String, (text) =>
      expect(Email.safeParse(text).success).toBe(false),
    )
    expect(failures).toEqual([])
    expect(Email.safeParse(`${'a'.repeat(64)}@d.example`).success).toBe(true)
  })

  test('R-5.5 a valid e-mail address is trimmed and lower-cased', async () => {
    expect(
      await collectFailures(
        [
          ['a.b+c@d.co', 'a.b+c@d.co'],
          ['  Alice@Example.COM ', 'alice@example.com'],
          ['x@sub.domain.example', 'x@sub.domain.example'],
          ['josé@correo.es', 'josé@correo.es'],
          ["o'hara@example.ie", "o'hara@example.ie"],
        ] as const,
        JSON.stringify,
        ([text, address]) => expect(Email.parse(text)).toBe(address),
      ),
    ).toEqual([])
  })

  test('R-5.5 a malformed e-mail address is rejected', async () => {
    expect(
      await collectFailures(
        [
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
        ] as const,
        JSON.stringify,
        (text) => expect(takes(Email, text)).toBe(false),
      ),
    ).toEqual([])
  })

  test('R-5.5 an e-mail address that is not a text is rejected', async () => {
    expect(
      await collectFailures([null, undefined, 7, {}, ['a@b.de']] as const, String, (value) => expect(takes(Email, value)).toBe(false)),
    ).toEqual([])
  })
})

describe('instants', () => {
  test('a UTC instant in ISO 8601 is accepted', async () => {
    expect(
      await collectFailures(
        ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.123Z', '2200-01-01T00:00:00Z', '2024-02-29T00:00:00Z'] as const,
        String,
        (text) => {
          expect(takes(Instant, text)).toBe(true)
        },
      ),
    ).toEqual([])
  })

  test('a date without time, an offset or an impossible date is rejected as an instant', async () => {
    expect(
      await collectFailures(
        [
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
        ] as const,
        JSON.stringify,
        (value) => expect(takes(Instant, value)).toBe(false),
      ),
    ).toEqual([])
  })
})

describe('whole numbers in paths', () => {
  test('digits in a path are parsed as a whole number', async () => {
    expect(
      await collectFailures(
        [
          ['0', 0],
          ['7', 7],
          ['9007199254740991', Number.MAX_SAFE_INTEGER],
        ] as const,
        JSON.stringify,
        ([text, number]) => expect(Whole.parse(text)).toBe(number),
      ),
    ).toEqual([])
  })

  test('signs, fractions, words and unsafe numbers in a path are rejected', async () => {
    expect(
      await collectFailures(['-1', '1.5', 'x', '1x', '9007199254740993', 'NaN', 'Infinity', '1e400'] as const, JSON.stringify, (text) =>
        expect(takes(Whole, text)).toBe(false),
      ),
    ).toEqual([])
  })

  test('an id in the path is parsed as a number', () => {
    expect(IdParams.parse({ id: '12' })).toEqual({ id: 12 })
    expect(takes(IdParams, {})).toBe(false)
    expect(takes(IdParams, { id: 'rex' })).toBe(false)
  })
})

describe('texts', () => {
  const name = Text(1, 5)

  test('a text is trimmed before its length is checked', async () => {
    expect(
      await collectFailures(
        [
          ['Rex', 'Rex'],
          ['  Rex  ', 'Rex'],
          ['自転車', '自転車'],
          ['12345', '12345'],
          [' 12345 ', '12345'],
        ] as const,
        JSON.stringify,
        ([text, kept]) => expect(name.parse(text)).toBe(kept),
      ),
    ).toEqual([])
  })

  test('a text that is too short, too long or of another type is rejected', async () => {
    expect(
      await collectFailures(['', '   ', '\n', '123456', null, 3] as const, JSON.stringify, (text) => expect(takes(name, text)).toBe(false)),
    ).toEqual([])
  })
})

describe('coordinates', () => {
  test('coordinates up to the poles and the date line are accepted', async () => {
    expect(
      await collectFailures(
        [
          [90, 180],
          [-90, -180],
          [0, 0],
          [-34.9, -56.16],
        ] as const,
        String,
        ([lat, lng]) => expect([takes(Latitude, lat), takes(Longitude, lng)]).toEqual([true, true]),
      ),
    ).toEqual([])
  })

  test('coordinates out of range or of another type are rejected', async () => {
    expect(
      await collectFailures(
        [
          [90.0001, 180.0001],
          [-91, -181],
          [Number.NaN, Number.POSITIVE_INFINITY],
          ['-34.9', '-56.1'],
          [null, undefined],
        ] as const,
        String,
        ([lat, lng]) => expect([takes(Latitude, lat), takes(Longitude, lng)]).toEqual([false, false]),
      ),
    ).toEqual([])
  })
})

describe('open lists', () => {
  const state = openEnum(SUB_STATES)

  test('R-3.21 an open list passes known and unknown values through', async () => {
    expect(await collectFailures([...SUB_STATES, 'paused'] as const, String, (value) => expect(state.parse(value)).toBe(value))).toEqual([])
  })

  test('R-3.21 an open list rejects anything but text', async () => {
    expect(await collectFailures([null, 1, {}] as const, JSON.stringify, (value) => expect(takes(state, value)).toBe(false))).toEqual([])
  })
})
