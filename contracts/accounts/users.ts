import * as z from 'zod/mini'
import { Id, openEnum } from '#contracts/lib/common.ts'
import { CURRENCIES } from '#contracts/lib/currencies.ts'
import { LANGUAGES } from '#contracts/lib/languages.ts'
import { ROLES, rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { normalizeKey, normalizeLogin, normalizePassword } from '#contracts/rules/reading/text.ts'
import { Email, Text } from '#contracts/rules/reading/text-fields.ts'
import { isTimeZone } from '#contracts/rules/time.ts'

export const PASSWORD_MIN_LENGTH = 8
export const PASSWORD_MAX_LENGTH = 128

export const User = z.object({
  id: Id,
  username: z.string(),
  email: z.string(),
  email_confirmed: z.boolean(),
  role: openEnum(ROLES),
  first_name: z.string(),
  last_name: z.string(),
  birth_date: z.nullable(z.iso.date()),
  admin_email: z.nullable(z.string()),
  marketing_consent: z.boolean(),
  language: z.string(),
  currency: z.string(),
})
export type User = z.infer<typeof User>

export const Settings = z.object({
  firstname: z.string(),
  lastname: z.string(),
  birthday: z.nullable(z.iso.date()),
  language: z.string(),
  currency: z.string(),
  marketing_consent: z.boolean(),
  admin_email: z.nullable(z.string()),
  /** Time zone of the dates in mails; absent on backends without it. */
  time_zone: z.optional(z.nullable(z.string())),
})
export type Settings = z.infer<typeof Settings>

/** 8 to 128 characters, no rule of composition, blanks preserved. */
export const Password = z.string().check(z.overwrite(normalizePassword), z.minLength(PASSWORD_MIN_LENGTH), z.maxLength(PASSWORD_MAX_LENGTH))

/** A password to verify, not to set: rules for new passwords must not lock out an older one. */
export const GivenPassword = z.string().check(z.minLength(1), z.maxLength(1000))

/** The key of a mailed link is not validated: a malformed one is an unknown key, not a form error. */
export const MailKey = z.string().check(z.overwrite(normalizeKey))

/** `YYYY-MM-DD` from 1900 on; only the server's clock can reject a future date. */
const BirthDate = z.iso.date().check(z.refine((date) => date >= '1900-01-01', { error: 'too long ago' }))
const Currency = z.enum(CURRENCIES)
export const Language = z.enum(LANGUAGES)
export const PersonName = Text(1, TEXT_LENGTH.personName)
const TimeZone = z.string().check(z.refine(isTimeZone, { error: 'not a zone of the IANA database' }))

/** A version of the terms: the hash of their text, or what the operator calls it. */
export const TermsVersion = Text(1, 64)

export const Registration = z.object({
  email: Email,
  password: Password,
  first_name: PersonName,
  last_name: PersonName,
  username: z.optional(z.string().check(z.overwrite(normalizeLogin), z.minLength(1), z.maxLength(254))),
  birth_date: z.optional(z.nullable(BirthDate)),
  language: z.optional(Language),
  currency: z.optional(Currency),
  marketing_consent: z._default(z.boolean(), false),
  time_zone: z.optional(z.nullable(TimeZone)),
  /** The version of the terms that the user accepts with the sign-up. */
  accepted_terms: z.optional(TermsVersion),
})

export const SettingsChange = z.partial(
  z.object({
    firstname: PersonName,
    lastname: PersonName,
    birthday: z.nullable(BirthDate),
    language: Language,
    currency: Currency,
    marketing_consent: z.boolean(),
    admin_email: z.nullable(Email),
    time_zone: z.nullable(TimeZone),
  }),
)

export const users = {
  register: {
    method: 'POST',
    path: '/users/register',
    summary: 'Creates an account and sends the e-mail that confirms its address',
    access: 'public',
    body: Registration,
    response: { 201: z.object({ user: User }) },
    errors: ['email_exists'],
    safety: 'destructive',
    provenance: 'assumed',
  },
  me: {
    method: 'GET',
    path: '/users/me/',
    summary: 'Reads the signed-in user',
    access: rights.ownProfile,
    response: { 200: User },
    safety: 'read',
    provenance: 'assumed',
  },
  sendConfirmation: {
    method: 'PATCH',
    path: '/users/me/',
    summary: 'Sends the e-mail confirmation again, unless confirmed; fields a user may not change are ignored',
    access: rights.ownProfile,
    body: z.object({ send_email_confirmation: z.optional(z.boolean()) }),
    response: { 200: User },
    safety: 'reversible',
    provenance: 'assumed',
  },
  erase: {
    method: 'DELETE',
    path: '/users/me/',
    summary: 'Deletes the account and all its data; the query must say `profile=all`',
    access: rights.ownProfile,
    recentSignIn: 'always',
    query: z.object({ profile: z.optional(z.string()) }),
    response: { 200: z.object({ deleted: z.boolean() }) },
    errors: ['profile_required', 'pro_account'],
    safety: 'destructive',
    provenance: 'spec',
  },
  settings: {
    method: 'GET',
    path: '/users/settings/',
    summary: 'Reads profile and settings',
    access: rights.ownProfile,
    response: { 200: Settings },
    safety: 'read',
    provenance: 'spec',
  },
  changeSettings: {
    method: 'PATCH',
    path: '/users/settings/',
    summary: 'Changes any of the settings',
    access: rights.ownProfile,
    body: SettingsChange,
    response: { 200: Settings },
    safety: 'reversible',
    provenance: 'spec',
  },
} as const satisfies Contract
