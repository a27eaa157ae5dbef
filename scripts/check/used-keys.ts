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

/** Tells which locale keys the product can ask for: those it writes as text, and those a template string can make. */
export const keyUse = (files: Files) => {
  const texts = pick(files, (path) => isSource(path) && /^(web|server|contracts)\//.test(path)).map(([, text]) => withoutComments(text))
  const written = new Set(texts.flatMap((text) => [...text.matchAll(QUOTED)].map((match) => match[2] ?? '')))
  const made = texts.flatMap((text) => [...text.matchAll(MADE)].flatMap((match) => asPattern(match[1] ?? '')))
  return (key: string) => written.has(key) || made.some((pattern) => pattern.test(key))
}
