/** Flattens nested locale objects: `{ login: { title: 'Sign in' } }` -> `login.title`. */
export const flatten = (value: unknown, prefix = ''): [key: string, text: string][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => flatten(inner, prefix === '' ? key : `${prefix}.${key}`))
    : [[prefix, String(value)]]

/** The `{{names}}` of a text, formats apart, each once and sorted. */
export const placeholders = (text: string) =>
  [...new Set([...text.matchAll(/\{\{\s*-?\s*(\w+)[^}]*\}\}/g)].map((match) => match[1]))].sort().join(', ')

/** Whether a text has a word to translate at all, besides placeholders, tags, signs and units. */
export const hasWords = (text: string) => /\p{L}{3}/u.test(text.replace(/\{\{[^}]*\}\}|<[^>]*>|https?:\S+|\S+@\S+/g, ''))
