import type { Currency } from '#contracts/lib/currencies.ts'
import type { Language } from '#contracts/lib/languages.ts'
import type { Role } from '#contracts/lib/rights.ts'
import type { StaffRole } from '#contracts/lib/staff-rights.ts'
import { SEED } from './seed-ids.ts'

export const DEMO_PASSWORD = 'Demo-1234'

/** `id` is the user's; `accountId` owns the data and is shared by the pro team. */
export type Persona = {
  key: string
  id: number
  accountId: number
  email: string
  password: string
  role: Role
  firstName: string
  lastName: string
  language: Language
  currency: Currency
  emailConfirmed: boolean
  birthDate: string | null
  /** The demo city's zone for personas with trackers. */
  timeZone: string | null
}

export const CITY_ZONE = 'America/Montevideo'

export const PRO_ACCOUNT_ID = 13

const CONSUMERS = [
  ['alice', 'Alice', 'Almeida', 'en', 'eur', '1988-04-17', CITY_ZONE],
  ['bruno', 'Bruno', 'Bernard', 'fr', 'eur', '1979-11-02', 'Europe/Paris'],
  ['chloe', 'Chloe', 'Clausen', 'de', 'eur', null, 'Europe/Berlin'],
  ['dario', 'Dario', 'Donati', 'it', 'eur', null, null],
  ['erika', 'Erika', 'Egger', 'de', 'chf', '1965-07-30', CITY_ZONE],
  ['george', 'George', 'Gardner', 'en', 'gbp', '1951-01-09', CITY_ZONE],
  ['usha', 'Usha', 'Upadhyay', 'en', 'usd', '1993-09-21', CITY_ZONE],
  ['haruka', '春香', '山田', 'ja', 'jpy', '1996-03-03', CITY_ZONE],
  ['olga', 'Olga', 'Ottová', 'cs', 'czk', null, 'Europe/Prague'],
  ['victor', 'Víctor', 'Vega', 'es', 'eur', '1984-12-12', CITY_ZONE],
  ['zoe', 'Zoe', 'Zetterberg', 'sv', 'sek', '2000-02-29', CITY_ZONE],
  ['taken', 'Tom', 'Taken', 'en', 'eur', null, 'Europe/London'],
] as const

const consumer = (
  [key, firstName, lastName, language, currency, birthDate, timeZone]: (typeof CONSUMERS)[number],
  index: number,
): Persona => ({
  key,
  id: index + 1,
  accountId: index + 1,
  email: `${key}@example.com`,
  password: DEMO_PASSWORD,
  role: 'user',
  firstName,
  lastName,
  language,
  currency,
  emailConfirmed: key !== 'chloe',
  birthDate,
  timeZone,
})

const common = { password: DEMO_PASSWORD, currency: 'eur', emailConfirmed: true, birthDate: null, timeZone: CITY_ZONE } as const
const pro = { ...common, accountId: PRO_ACCOUNT_ID }

export const PERSONAS: Persona[] = [
  ...CONSUMERS.map(consumer),
  { ...pro, key: 'admin', id: 13, email: 'admin@pro.example.com', role: 'admin', firstName: 'Ada', lastName: 'Admin', language: 'en' },
  { ...pro, key: 'member', id: 14, email: 'member@pro.example.com', role: 'pro', firstName: 'Marc', lastName: 'Membre', language: 'fr' },
  {
    ...common,
    key: 'support',
    id: 15,
    accountId: 15,
    email: 'support@example.com',
    role: 'deepsupport',
    firstName: 'Sam',
    lastName: 'Support',
    language: 'en',
  },
]

/** A member of the pro team without trackers, who signs in with a second factor; not listed among the personas to try. */
const NEWCOMER: Persona = {
  ...pro,
  key: 'newcomer',
  id: SEED.users.withoutDevices,
  email: 'newcomer@pro.example.com',
  role: 'pro',
  firstName: 'Nora',
  lastName: 'Newcomer',
  language: 'en',
}

export function getPersona(key: string): Persona {
  const found = [...PERSONAS, NEWCOMER].find((one) => one.key === key)
  if (!found) throw new Error(`No persona is called ${key}`)
  return found
}

/** A member of the company's staff in every world, who works in the operator's console and is no user of the portal. */
export type StaffPersona = { key: string; id: number; email: string; name: string; role: StaffRole }

export const STAFF = [
  { key: 'clerk', id: 1, email: 'clerk@example.com', name: 'Clara Clerk', role: 'stock' },
  { key: 'helper', id: 2, email: 'helper@example.com', name: 'Hugo Helper', role: 'support' },
  { key: 'cashier', id: 3, email: 'cashier@example.com', name: 'Cora Cashier', role: 'finance' },
  { key: 'manager', id: 4, email: 'manager@example.com', name: 'Mina Manager', role: 'admin' },
] as const satisfies readonly StaffPersona[]
