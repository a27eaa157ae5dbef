import { ROLES, type Role } from '#contracts/lib/constants.ts'

/** A role nobody knows has the least rights. */
export const roleOf = (value: string): Role => ROLES.find((role) => role === value) ?? 'user'
