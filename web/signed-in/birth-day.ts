import * as z from 'zod/mini'
import { isBirthDate } from '#contracts/rules/birth-date.ts'
import { clock } from '#web/lib/clock.ts'

/** What a date field says: nothing, or a day that somebody can have been born on. */
export const BirthDay = z.string().check(z.refine((day) => day === '' || isBirthDate(day, clock.now())))
