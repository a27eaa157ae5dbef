import { expect, test } from 'vitest'
import { DEVICE_TYPES, OPERATORS } from '#contracts/lib/constants.ts'
import { displayType } from './display-type.ts'
import { boardOf, operatorOf } from './hardware.ts'

test.each(DEVICE_TYPES)('R-3.1 a %s comes with a board of its own type, on a network we know', (type) => {
  expect(displayType({ type, tracker_config: { board_name: boardOf(type) } })).toBe(type)
  expect(OPERATORS).toContain(operatorOf(type))
})

test('R-3.11 a triby speaks on no network of trackers', () => {
  expect(DEVICE_TYPES.filter((type) => operatorOf(type) === 'none')).toEqual(['triby'])
})
