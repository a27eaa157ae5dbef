import { isSource, withoutComments } from './code.ts'
import { type Files, pick } from './finding.ts'

const QUOTED = /(['"`])([\w.-]+)\1/g
/** A template string that could build a key: key characters and at least one `${…}`. */
const MADE = /`((?:[\w.-]|\$\{[^{}`]*\})*\$\{[^{}`]*\}(?:[\w.-]|\$\{[^{}`]*\})*)`/g

const quoted = (text: string) => text.replace(/[.-]/g, '\\$&')

/** `error.${code}` -> /^error\..+$/. A template without a fixed part of three letters would match every key and is ignored. */
const asPattern = (template: string) => {
  const fixed = template.split(/\$\{[^}]*\}/)
  return fixed.join('').replace(/\W/g, '').length < 3 ? [] : [new RegExp(`^${fixed.map(quoted).join('.+')}$`)]
}

/** Whether a key of a texts file imported as an object is read: `words.total` or `words.outcome[code]`. */
const asProperty = (texts: string[], key: string) => {
  const chain = `.${key}`
  const indexed = `${chain.slice(0, chain.lastIndexOf('.'))}[`
  return texts.some((text) => new RegExp(`${quoted(chain)}\\b`).test(text) || (indexed !== '[' && text.includes(indexed)))
}

/**
 * Returns a function that tells whether the product uses a locale key: written as a string, built by a template string or, for texts
 * imported as an object (all but the portal's), read as a property.
 */
export const keyUse = (files: Files, isObject = false) => {
  const texts = pick(files, (path) => isSource(path) && /^(web|server|contracts)\//.test(path)).map(([, text]) => withoutComments(text))
  const written = new Set(texts.flatMap((text) => [...text.matchAll(QUOTED)].map((match) => match[2] ?? '')))
  const made = texts.flatMap((text) => [...text.matchAll(MADE)].flatMap((match) => asPattern(match[1] ?? '')))
  return (key: string) => written.has(key) || made.some((pattern) => pattern.test(key)) || (isObject && asProperty(texts, key))
}
