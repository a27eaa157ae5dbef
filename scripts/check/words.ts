/** Flattens nested locale objects: `{ login: { title: 'Sign in' } }` -> `login.title`. */
export const flatten = (value: unknown, prefix = ''): [key: string, text: string][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => flatten(inner, prefix === '' ? key : `${prefix}.${key}`))
    : [[prefix, String(value)]]

/** The `{{names}}` of a text without their formats, unique and sorted. */
export const placeholders = (text: string) =>
  [...new Set([...text.matchAll(/\{\{\s*-?\s*(\w+)[^}]*\}\}/g)].map((match) => match[1]))].sort().join(', ')

/** Whether a text has a word to translate, besides placeholders, tags, symbols and units. */
export const hasWords = (text: string) => /\p{L}{3}/u.test(text.replace(/\{\{[^}]*\}\}|<[^>]*>|https?:\S+|\S+@\S+/g, ''))
