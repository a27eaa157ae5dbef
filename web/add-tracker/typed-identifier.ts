import { formatIdentifier } from '#contracts/rules/text.ts'

const PARTS = /^(\d{8})[- ]?(\d*)$/

/**
 * Inserts the dash while an identifier is typed or pasted. Text that cannot be an identifier is returned unchanged, so that validation
 * rejects it.
 */
export const formatTypedIdentifier = (text: string) => {
  const match = PARTS.exec(text.trim())
  if (!match) return text
  return match[2] ? formatIdentifier(`${match[1]}${match[2]}`) : `${match[1]}`
}
