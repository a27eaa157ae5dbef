import { LANGUAGES, type Language } from '#contracts/lib/languages.ts'
import { ROLES, type Role } from '#contracts/lib/rights.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'

/** An unknown role gets the fewest rights. */
export const parseRole = (value: string): Role => pickListed(ROLES, value, 'user')

/** Returns the first of the browser's languages that the portal supports, ignoring regions; English otherwise. */
export const pickLanguage = (navigatorLanguages: readonly string[]): Language => {
  for (const tag of navigatorLanguages) {
    const primary = tag.split(/[-_]/)[0]?.toLowerCase()
    const language = LANGUAGES.find((known) => known === primary)
    if (language) return language
  }
  return LANGUAGES[0]
}

const FAMILY_FIRST = ['ja', 'hu']

/** First and last name, or their form fields, in the order of a language: family name first in Japanese and Hungarian. */
export const orderNames = <T>(first: T, last: T, language: string): [T, T] =>
  FAMILY_FIRST.includes(language) ? [last, first] : [first, last]

/** The full name as written in a language. */
export const personName = (first: string, last: string, language: string) => orderNames(first, last, language).join(' ').trim()

const BIRTH_YEAR_MIN = 1900

/** Whether the text is a calendar day as YYYY-MM-DD, from 1900 up to today in UTC. */
export const isBirthDate = (text: string, now: Date) => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number(text.slice(0, 4)) < BIRTH_YEAR_MIN) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) && day <= now
}
