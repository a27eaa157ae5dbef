import { expect, test } from 'vitest'
import { KINDS, USAGES } from '#contracts/lib/constants.ts'
import { isAnimal, usageOf } from './usage.ts'

test('R-3.19 the usage equals the kind, except that a plane is used as other', () => {
  expect(KINDS.filter((kind) => usageOf(kind) !== kind)).toEqual(['plane'])
  expect(usageOf('plane')).toBe('other')
  expect(new Set(KINDS.map(usageOf))).toEqual(new Set(USAGES))
})

test('R-4.15 only dogs and cats have the animal modes', () => {
  expect(USAGES.filter(isAnimal)).toEqual(['dog', 'cat'])
})
