import { normalizeIdentifier, normalizeSerial } from '#contracts/rules/reading/text.ts'

/** Characters that the field for a number accepts: a serial in groups with separators. */
export const MAX_SERIAL_LENGTH = 24

/** Returns the number of a tracker in the text of a code: the text itself, or a part of it, such as of a web address. */
export const readCode = (text: string): string | null =>
  [text, ...text.split(/[^\p{L}\p{N}-]+/u)].find((part) => normalizeIdentifier(part) !== null || normalizeSerial(part) !== null) ?? null
