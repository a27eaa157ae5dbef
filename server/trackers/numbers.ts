import { normalizeIdentifier, normalizeSerial } from '#contracts/rules/identifier.ts'
import { Failure } from '#server/lib/errors.ts'

/** Returns the ten digits of a typed identifier. Throws `invalid_identifier`. */
export function identifierOf(text: string) {
  const identifier = normalizeIdentifier(text)
  if (identifier === null) throw new Failure('invalid_identifier', { errors: { identifier: ['Must be 8+2 digits'] } })
  return identifier
}

/** Returns the twelve characters of a typed serial. Throws `invalid_serial`. */
export function serialOf(text: string) {
  const serial = normalizeSerial(text)
  if (serial === null) throw invalidSerial('Must be 12 letters and digits')
  return serial
}

export const invalidSerial = (reason: string) => new Failure('invalid_serial', { errors: { serial: [reason] } })
