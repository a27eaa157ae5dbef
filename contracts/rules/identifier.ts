import { IDENTIFIER_DIGITS, SERIAL_LENGTH } from '#contracts/lib/constants.ts'

const { head, tail } = IDENTIFIER_DIGITS
const IDENTIFIER = new RegExp(`^(\\d{${head}})[- ]?(\\d{${tail}})$`)
const SERIAL = new RegExp(`^[A-Za-z0-9]{${SERIAL_LENGTH}}$`)

/** The 8+2 digits of an identifier as 10 digits, however they were typed (D-22); null is 'Invalid ID'. */
export const normalizeIdentifier = (text: string): string | null => {
  const match = IDENTIFIER.exec(text.trim())
  return match ? `${match[1]}${match[2]}` : null
}

/** As printed on the product: `12345678-90`. */
export const formatIdentifier = (digits: string) => `${digits.slice(0, head)}-${digits.slice(head)}`

/** The 12 characters of an S/N in upper case without blanks and dashes (D-22); null is an invalid S/N. */
export const normalizeSerial = (text: string): string | null => {
  const characters = text.replace(/[\s-]/g, '')
  return SERIAL.test(characters) ? characters.toUpperCase() : null
}
