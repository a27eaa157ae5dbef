import { expect, test } from 'vitest'
import { ROLES } from '#contracts/lib/constants.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { roleOf } from './role.ts'

test('R-6.4 every role is known', async () => {
  expect(
    await collectFailures(ROLES, String, (role) => {
      expect(roleOf(role)).toBe(role)
    }),
  ).toEqual([])
})

test('R-6.2 an unknown role has the rights of a user', async () => {
  expect(
    await collectFailures(['', 'ADMIN', 'superuser', 'constructor'] as const, JSON.stringify, (role) => {
      expect(roleOf(role)).toBe('user')
    }),
  ).toEqual([])
})
