import { IDENTIFIER_DIGITS, SERIAL_LENGTH } from '#contracts/lib/constants.ts'

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
