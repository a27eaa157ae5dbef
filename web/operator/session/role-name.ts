import type { TFunction } from 'i18next'
import { STAFF_ROLES } from '#contracts/lib/staff-rights.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'

/** An unknown role is shown as is. */
export function roleName(t: TFunction, role: string) {
  const known = pickListed(STAFF_ROLES, role, null)
  return known ? t(`operator.roles.${known}`) : role
}
