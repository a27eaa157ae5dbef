import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MONITORING_LEVELS, USAGES } from '#contracts/lib/constants.ts'
import { allowedModes, hasVehicleAlert, isModeCode, lostModeFor, MODE_CODES, modeCode, modeLabel, withVehicleAlert } from './mode.ts'

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

test('R-3.38 switching the vehicle alert is idempotent, and off reverses on', () => {
  fc.assert(
    fc.property(codes, fc.boolean(), (code, on) => {
      const once = withVehicleAlert(code, on)
      expect(withVehicleAlert(once, on)).toBe(once)
      if (!hasVehicleAlert(code)) expect(withVehicleAlert(withVehicleAlert(code, true), false)).toBe(code)
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
      expect(allowed).toEqual(expect.arrayContaining([4, lostModeFor(usage)]))
    }),
  )
})
