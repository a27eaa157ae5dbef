import { ROLES, type Role } from '#contracts/lib/constants.ts'

/** An unknown role gets the fewest rights. */
export const roleOf = (value: string): Role => ROLES.find((role) => role === value) ?? 'user'
