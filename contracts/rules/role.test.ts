import { expect, test } from 'vitest'
import { ROLES } from '#contracts/lib/constants.ts'
import { roleOf } from './role.ts'

test.each(ROLES)('R-6.4 the role %s is known', (role) => {
  expect(roleOf(role)).toBe(role)
})

test.each(['', 'ADMIN', 'superuser', 'constructor'])('R-6.2 the unknown role %j has the rights of a user', (role) => {
  expect(roleOf(role)).toBe('user')
})
