import type { Currency, Language, Role } from '#contracts/constants.ts'

/** The password of every seeded account. */
export const DEMO_PASSWORD = 'Demo-1234'

/** `id` is the user's, `accountId` the account's that owns the data; the pro team shares one. */
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
}

/** The account of the pro team. */
export const PRO_ACCOUNT = 13

const CONSUMERS = [
  ['alice', 'Alice', 'Almeida', 'en', 'eur', '1988-04-17'],
  ['bruno', 'Bruno', 'Bernard', 'fr', 'eur', '1979-11-02'],
  ['chloe', 'Chloe', 'Clausen', 'de', 'eur', null],
  ['dario', 'Dario', 'Donati', 'it', 'eur', null],
  ['erika', 'Erika', 'Egger', 'de', 'chf', '1965-07-30'],
  ['george', 'George', 'Gardner', 'en', 'gbp', '1951-01-09'],
  ['usha', 'Usha', 'Upadhyay', 'en', 'usd', '1993-09-21'],
  ['haruka', '春香', '山田', 'ja', 'eur', '1996-03-03'],
  ['olga', 'Olga', 'Ottová', 'cs', 'eur', null],
  ['victor', 'Víctor', 'Vega', 'es', 'eur', '1984-12-12'],
  ['zoe', 'Zoe', 'Zetterberg', 'sv', 'eur', '2000-02-29'],
  ['taken', 'Tom', 'Taken', 'en', 'eur', null],
] as const

const consumer = ([key, firstName, lastName, language, currency, birthDate]: (typeof CONSUMERS)[number], index: number): Persona => ({
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
})

const common = { password: DEMO_PASSWORD, currency: 'eur', emailConfirmed: true, birthDate: null } as const
const pro = { ...common, accountId: PRO_ACCOUNT }

/** Who can sign in to the demo (requirements H.1). */
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

/** Throws when nobody of the cast has that key. */
export function persona(key: string): Persona {
  const found = PERSONAS.find((one) => one.key === key)
  if (!found) throw new Error(`No persona is called ${key}`)
  return found
}
