import { IDENTIFIER_DIGITS, SERIAL_LENGTH, VERIFICATION_CODE_LENGTH } from '#contracts/lib/constants.ts'

/** Escapes a csv cell that a spreadsheet could run as a formula: text starting with = + - @ or tab gets an apostrophe, numbers don't. */
export const escapeCsvCell = <T extends string | number | null>(value: T) =>
  typeof value === 'string' && /^[=+\-@\t]/.test(value) ? `'${value}` : value

/** The key under which tag names are unique per account: case-insensitive, accents in composed form. */
export const tagKey = (name: string) => name.normalize('NFC').toLowerCase()

/** Ascending. Not a subtraction, which would give NaN for ids that are no numbers. */
export const compareIds = (a: number, b: number) => Number(a > b) - Number(a < b)

type Named = { id: number; name: string }

/** Compares by name, then id. The collation is fixed so that the server and every browser agree on the order. */
export const byName = (a: Named, b: Named): number => names.compare(a.name, b.name) || compareIds(a.id, b.id)

const names = new Intl.Collator('en')

const { head, tail } = IDENTIFIER_DIGITS
const IDENTIFIER = new RegExp(`^(\\d{${head}})[- ]?(\\d{${tail}})$`)
const SERIAL = new RegExp(`^[A-Za-z0-9]{${SERIAL_LENGTH}}$`)

/** Normalizes an identifier typed as 8+2 digits to 10 digits; null means "Invalid ID". */
export const normalizeIdentifier = (text: string): string | null => {
  const match = IDENTIFIER.exec(text.trim())
  return match ? `${match[1]}${match[2]}` : null
}

/** As printed on the product: `12345678-90`. */
export const formatIdentifier = (digits: string) => `${digits.slice(0, head)}-${digits.slice(head)}`

/** Normalizes an S/N to 12 upper-case characters without blanks and dashes; null if it is invalid. */
export const normalizeSerial = (text: string): string | null => {
  const characters = text.replace(/[\s-]/g, '')
  return SERIAL.test(characters) ? characters.toUpperCase() : null
}

const CODE = new RegExp(`^[A-Za-z0-9]{${VERIFICATION_CODE_LENGTH}}$`)

/** Normalizes the 8 characters A–Z and 0–9 that link a subscription, without blanks and dashes; null if it is no such code. */
export const normalizeVerificationCode = (text: string): string | null => {
  const characters = text.replace(/[\s-]/g, '')
  return CODE.test(characters) ? characters.toUpperCase() : null
}
