import { expect, test } from 'vitest'
import { DEVICE_TYPES, OPERATORS } from '#contracts/lib/constants.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { displayType } from './display-type.ts'
import { boardOf, operatorOf } from './hardware.ts'

test('R-3.1 every type has a board that displays as this type, and a known network', async () => {
  expect(
    await collectFailures(DEVICE_TYPES, String, (type) => {
      expect(displayType({ type, tracker_config: { board_name: boardOf(type) } })).toBe(type)
      expect(OPERATORS).toContain(operatorOf(type))
    }),
  ).toEqual([])
})

test('R-3.11 only a triby has no tracker network', () => {
  expect(DEVICE_TYPES.filter((type) => operatorOf(type) === 'none')).toEqual(['triby'])
})
