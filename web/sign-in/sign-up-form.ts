import * as z from 'zod/mini'
import { Registration } from '#contracts/accounts/users.ts'
import { isTimeZone } from '#contracts/rules/time.ts'
import { currentLanguage } from '#web/lib/i18n/i18n.ts'
import { BirthDate } from '#web/signed-in/birth-date.ts'
import { guessCurrency } from './guess-currency.ts'

const AccountFields = z.pick(Registration, { email: true, password: true, first_name: true, last_name: true, marketing_consent: true })

/** The registration form; the repeated password is not sent. */
export const SignUpForm = z
  .extend(AccountFields, { repeat: z.string(), birth_date: BirthDate })
  .check(z.refine(({ password, repeat }) => password === repeat, { path: ['repeat'] }))

/** Adds language, currency and time zone from the browser. */
export function buildRegistration({ repeat: _, birth_date, ...fields }: z.output<typeof SignUpForm>) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return {
    ...fields,
    birth_date: birth_date || null,
    language: currentLanguage(),
    currency: guessCurrency(navigator.languages),
    time_zone: isTimeZone(timeZone) ? timeZone : null,
  }
}
