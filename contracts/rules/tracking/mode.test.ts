import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import {
  allowedModes,
  deriveUsage,
  hasVehicleAlert,
  isAnimal,
  isModeCode,
  lostMode,
  MODE_CODES,
  MONITORING_LEVELS,
  modeCode,
  modeLabel,
  nearestMode,
  switchVehicleAlert,
  USAGES,
} from './mode.ts'
import { KINDS } from './tracker.ts'

describe('mode labels', () => {
  test('R-4.11 R-4.14 R-4.15 each level code maps to its level and variant, and back', async () => {
    expect(
      await collectFailures(
        [
          ['R-4.11', 1, 'standard', 'none'],
          ['R-4.11', 3, 'high', 'none'],
          ['R-4.11', 2, 'intense', 'none'],
          ['R-4.14', 8, 'standard', 'vehicle'],
          ['R-4.14', 10, 'high', 'vehicle'],
          ['R-4.14', 9, 'intense', 'vehicle'],
          ['R-4.15', 21, 'standard', 'animal'],
          ['R-4.15', 23, 'high', 'animal'],
          ['R-4.15', 22, 'intense', 'animal'],
        ] as const,
        JSON.stringify,
        ([, code, level, variant]) => {
          expect(modeLabel(code)).toEqual({ kind: 'level', level, variant })
          expect(modeCode(level, variant)).toBe(code)
        },
      ),
    ).toEqual([])
  })

  test('R-4.12 R-4.13 R-4.16 the remaining codes are plane, lost and configurable mode', async () => {
    expect(
      await collectFailures(
        [
          ['R-4.12', 4, 'plane'],
          ['R-4.13', 7, 'lost'],
          ['R-4.13', 27, 'lost'],
          ['R-4.16', 50, 'configurable'],
        ] as const,
        JSON.stringify,
        ([, code, kind]) => {
          expect(modeLabel(code)).toEqual({ kind })
        },
      ),
    ).toEqual([])
  })

  test('R-4.17 any other code is unknown', async () => {
    expect(
      await collectFailures([0, 5, 6, 20, 24, 99, -1, 1.5, Number.NaN] as const, String, (code) => {
        expect(modeLabel(code)).toEqual({ kind: 'unknown', code })
        expect(isModeCode(code)).toBe(false)
      }),
    ).toEqual([])
  })

  test('R-4.10 there are three levels, and every code has a label', () => {
    expect(MONITORING_LEVELS).toEqual(['standard', 'high', 'intense'])
    expect(MODE_CODES.filter((code) => modeLabel(code).kind === 'unknown')).toEqual([])
  })
})

describe('accepted modes', () => {
  test('usage and board determine the modes that a tracker accepts', async () => {
    expect(
      await collectFailures(
        [
          ['person', null, [1, 3, 2, 4, 7]],
          ['other', 'T1', [1, 3, 2, 4, 7]],
          ['vehicle', null, [1, 3, 2, 8, 10, 9, 4, 7]],
          ['bike', null, [1, 3, 2, 8, 10, 9, 4, 7]],
          ['dog', 'SDC1-A', [21, 23, 22, 1, 3, 2, 4, 27]],
          ['cat', null, [21, 23, 22, 1, 3, 2, 4, 27]],
          ['other', 'SCT2-01', [50, 4, 7]],
          ['dog', 'SCT2-01', [50, 4, 27]],
        ] as const,
        JSON.stringify,
        ([usage, board, codes]) => {
          expect(allowedModes(usage, board)).toEqual(codes)
        },
      ),
    ).toEqual([])
  })

  test('R-4.4 every usage and board accepts its own lost mode', async () => {
    expect(
      await collectFailures(
        USAGES.flatMap((usage) => [null, 'SCT2-01'].map((board) => [usage, board] as const)),
        String,
        ([usage, board]) => {
          expect(allowedModes(usage, board)).toContain(lostMode(usage))
          expect(modeLabel(lostMode(usage))).toEqual({ kind: 'lost' })
        },
      ),
    ).toEqual([])
  })

  test('R-2.47 lost mode is 27 for an animal and 7 for anything else', () => {
    expect(USAGES.filter((usage) => lostMode(usage) === 27)).toEqual(['dog', 'cat'])
  })
})

describe('vehicle alert', () => {
  test('R-3.38 the vehicle alert maps each plain level to its vehicle level and back', async () => {
    expect(
      await collectFailures(
        [
          [1, 8],
          [3, 10],
          [2, 9],
        ] as const,
        JSON.stringify,
        ([off, on]) => {
          expect(switchVehicleAlert(off, true)).toBe(on)
          expect(switchVehicleAlert(on, true)).toBe(on)
          expect(switchVehicleAlert(on, false)).toBe(off)
          expect(switchVehicleAlert(off, false)).toBe(off)
          expect([hasVehicleAlert(off), hasVehicleAlert(on)]).toEqual([false, true])
        },
      ),
    ).toEqual([])
  })

  test('R-3.38 the vehicle alert leaves any other mode unchanged', async () => {
    expect(
      await collectFailures([4, 7, 27, 21, 23, 22, 50] as const, String, (code) => {
        expect([switchVehicleAlert(code, true), switchVehicleAlert(code, false)]).toEqual([code, code])
        expect(hasVehicleAlert(code)).toBe(false)
      }),
    ).toEqual([])
  })
})

describe('change of usage', () => {
  test('a change of usage or board moves a tracker to the nearest accepted mode', async () => {
    expect(
      await collectFailures(
        [
          [21, 'vehicle', null, 1],
          [22, 'person', null, 2],
          [10, 'cat', null, 23],
          [10, 'person', null, 3],
          [3, 'dog', null, 3],
          [9, 'bike', null, 9],
          [7, 'dog', null, 27],
          [27, 'bike', null, 7],
          [4, 'cat', null, 4],
          [27, 'other', 'SCT2-01', 7],
          [50, 'dog', 'SCT2-01', 50],
          [99, 'cat', null, 21],
          [1, 'other', 'SCT2-01', 50],
        ] as const,
        JSON.stringify,
        ([code, usage, board, nearest]) => {
          expect(nearestMode(code, usage, board)).toBe(nearest)
        },
      ),
    ).toEqual([])
  })
})

const codes = fc.constantFrom(...MODE_CODES)
const variants = fc.constantFrom('none', 'vehicle', 'animal')
const boards = fc.option(fc.oneof(fc.constantFrom('SCT2-01', 'TRK1-A', 'SDC1-A', 'LWT2-07'), fc.string()))

test('R-4.11 R-4.14 R-4.15 level and variant map to a code and back', () => {
  fc.assert(
    fc.property(fc.constantFrom(...MONITORING_LEVELS), variants, (level, variant) => {
      expect(modeLabel(modeCode(level, variant))).toEqual({ kind: 'level', level, variant })
    }),
  )
})

test('R-4.17 a number is a known code or has the label unknown', () => {
  fc.assert(
    fc.property(fc.oneof(fc.integer(), fc.double(), codes), (code) => {
      const label = modeLabel(code)
      expect(label.kind === 'unknown').toBe(!isModeCode(code))
      if (label.kind === 'unknown') expect(label.code).toBe(code)
    }),
  )
})

test('R-3.38 switching the vehicle alert is idempotent, and off reverts on', () => {
  fc.assert(
    fc.property(codes, fc.boolean(), (code, on) => {
      const once = switchVehicleAlert(code, on)
      expect(switchVehicleAlert(once, on)).toBe(once)
      if (!hasVehicleAlert(code)) expect(switchVehicleAlert(switchVehicleAlert(code, true), false)).toBe(code)
      const [before, after] = [modeLabel(code), modeLabel(once)]
      expect(after.kind === 'level' && after.level).toBe(before.kind === 'level' && before.level)
    }),
  )
})

test('a tracker accepts distinct known codes, including lost and plane mode', () => {
  fc.assert(
    fc.property(fc.constantFrom(...USAGES), boards, (usage, board) => {
      const allowed = allowedModes(usage, board)
      expect(new Set(allowed).size).toBe(allowed.length)
      expect(allowed.every(isModeCode)).toBe(true)
      expect(allowed).toEqual(expect.arrayContaining([4, lostMode(usage)]))
    }),
  )
})

test('R-3.19 the usage equals the kind, except that a plane is used as other', () => {
  expect(KINDS.filter((kind) => deriveUsage(kind) !== kind)).toEqual(['plane'])
  expect(deriveUsage('plane')).toBe('other')
  expect(new Set(KINDS.map(deriveUsage))).toEqual(new Set(USAGES))
})

test('R-4.15 only dogs and cats have the animal modes', () => {
  expect(USAGES.filter(isAnimal)).toEqual(['dog', 'cat'])
})
