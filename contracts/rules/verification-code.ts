import { VERIFICATION_CODE_LENGTH } from '#contracts/lib/constants.ts'

const CODE = new RegExp(`^[A-Za-z0-9]{${VERIFICATION_CODE_LENGTH}}$`)

/** Normalizes the 8 characters A–Z and 0–9 that link a subscription, without blanks and dashes; null if it is no such code. */
export const normalizeVerificationCode = (text: string): string | null => {
  const characters = text.replace(/[\s-]/g, '')
  return CODE.test(characters) ? characters.toUpperCase() : null
}
