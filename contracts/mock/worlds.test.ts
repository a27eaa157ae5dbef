import { describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { clock } from './clock.ts'
import { WorldId } from './worlds.ts'

describe('mock worlds', () => {
  test('a world id of up to 40 lower-case letters, digits and dashes is accepted', async () => {
    expect(
      await collectFailures(['a', 'main', 'w-1', '0', 'x'.repeat(40)] as const, String, (id) =>
        expect(WorldId.safeParse(id).success).toBe(true),
      ),
    ).toEqual([])
  })

  test('any other world id is rejected', async () => {
    expect(
      await collectFailures(['', '-a', 'A', 'a_b', 'a.b', 'x'.repeat(41), 'a b'] as const, JSON.stringify, (id) =>
        expect(WorldId.safeParse(id).success).toBe(false),
      ),
    ).toEqual([])
  })

  test('the clock advances by ISO 8601 durations of days to seconds', async () => {
    expect(
      await collectFailures(['PT5M', 'P3D', 'P1DT2H', 'PT1H30M5S', 'P0D'] as const, String, (by) => {
        expect(clock.advance.body.safeParse({ by }).success).toBe(true)
      }),
    ).toEqual([])
  })

  test('the clock rejects negative, fractional and other durations', async () => {
    expect(
      await collectFailures(
        ['', 'P', 'PT', 'P1DT', '5M', '-PT5M', 'P1M', 'P1Y', 'PT5', 'pt5m', 'PT1.5H'] as const,
        JSON.stringify,
        (by) => {
          expect(clock.advance.body.safeParse({ by }).success).toBe(false)
        },
      ),
    ).toEqual([])
  })
})
