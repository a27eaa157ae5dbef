import { normalizeIdentifier, normalizeSerial } from '#contracts/rules/reading/text.ts'
import { Failure } from '#server/lib/errors.ts'

export function parseIdentifier(text: string) {
  const identifier = normalizeIdentifier(text)
  if (identifier === null) throw new Failure('invalid_identifier', { errors: { identifier: ['Must be 8+2 digits'] } })
  return identifier
}

export function parseSerial(text: string) {
  const serial = normalizeSerial(text)
  if (serial === null) throw invalidSerial('Must be 12 letters and digits')
  return serial
}

export const invalidSerial = (reason: string) => new Failure('invalid_serial', { errors: { serial: [reason] } })
