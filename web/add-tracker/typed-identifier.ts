import { formatIdentifier } from '#contracts/rules/identifier.ts'

const PARTS = /^(\d{8})[- ]?(\d*)$/

/** What the field shows while an identifier is typed or pasted: the dash comes by itself; what can't be one stays as it is, to be refused. */
export const typedIdentifier = (text: string) => {
  const match = PARTS.exec(text.trim())
  if (!match) return text
  return match[2] ? formatIdentifier(`${match[1]}${match[2]}`) : `${match[1]}`
}
