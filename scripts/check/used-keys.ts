import { isSource, withoutComments } from './code.ts'
import { type Files, pick } from './finding.ts'

const QUOTED = /(['"`])([\w.-]+)\1/g
/** A template string that could make a key: key characters and at least one `${…}`. */
const MADE = /`((?:[\w.-]|\$\{[^{}`]*\})*\$\{[^{}`]*\}(?:[\w.-]|\$\{[^{}`]*\})*)`/g

const quoted = (text: string) => text.replace(/[.-]/g, '\\$&')

/** `error.${code}` -> /^error\..+$/; one whose fixed parts say nothing would match every key, so it counts for none. */
const asPattern = (template: string) => {
  const fixed = template.split(/\$\{[^}]*\}/)
  return fixed.join('').replace(/\W/g, '').length < 3 ? [] : [new RegExp(`^${fixed.map(quoted).join('.+')}$`)]
}

/** `words.total` and `words.outcome[code]`: how a file of words that was imported as a whole is read. */
const asProperty = (texts: string[], key: string) => {
  const chain = `.${key}`
  const indexed = `${chain.slice(0, chain.lastIndexOf('.'))}[`
  return texts.some((text) => new RegExp(`${quoted(chain)}\\b`).test(text) || (indexed !== '[' && text.includes(indexed)))
}

/**
 * Tells which locale keys the product can ask for: those it writes as text, those a template string can make and, for
 * words that are imported as an object (all but the portal's), those it reads as properties.
 */
export const keyUse = (files: Files, isObject = false) => {
  const texts = pick(files, (path) => isSource(path) && /^(web|server|contracts)\//.test(path)).map(([, text]) => withoutComments(text))
  const written = new Set(texts.flatMap((text) => [...text.matchAll(QUOTED)].map((match) => match[2] ?? '')))
  const made = texts.flatMap((text) => [...text.matchAll(MADE)].flatMap((match) => asPattern(match[1] ?? '')))
  return (key: string) => written.has(key) || made.some((pattern) => pattern.test(key)) || (isObject && asProperty(texts, key))
}
