import * as z from 'zod/mini'
import { isBirthDate } from '#contracts/rules/user.ts'
import { clock } from '#web/lib/clock.ts'

/** A date field: empty, or a plausible date of birth. */
export const BirthDate = z.string().check(z.refine((day) => day === '' || isBirthDate(day, clock.now())))
