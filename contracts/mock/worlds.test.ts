import { describe, expect, test } from 'vitest'
import { clock } from './clock.ts'
import { WorldId } from './worlds.ts'

describe('worlds of the mock server', () => {
  test.each(['a', 'main', 'w-1', '0', 'x'.repeat(40)])('may be called %s', (id) => expect(WorldId.safeParse(id).success).toBe(true))

  test.each(['', '-a', 'A', 'a_b', 'a.b', 'x'.repeat(41), 'a b'])('are never called %j', (id) =>
    expect(WorldId.safeParse(id).success).toBe(false),
  )

  test.each(['PT5M', 'P3D', 'P1DT2H', 'PT1H30M5S', 'P0D'])('are moved forward by %s', (by) => {
    expect(clock.advance.body.safeParse({ by }).success).toBe(true)
  })

  test.each(['', 'P', 'PT', 'P1DT', '5M', '-PT5M', 'P1M', 'P1Y', 'PT5', 'pt5m', 'PT1.5H'])('are not moved by %j', (by) => {
    expect(clock.advance.body.safeParse({ by }).success).toBe(false)
  })
})
