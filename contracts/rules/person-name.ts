const FAMILY_FIRST = ['ja', 'hu']

/** First and last name, or their form fields, in the order of a language: family name first in Japanese and Hungarian. */
export const inNameOrder = <T>(first: T, last: T, language: string): [T, T] =>
  FAMILY_FIRST.includes(language) ? [last, first] : [first, last]

/** The full name as written in a language. */
export const personName = (first: string, last: string, language: string) => inNameOrder(first, last, language).join(' ').trim()
