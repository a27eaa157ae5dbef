import { HOTP, Secret, TOTP } from 'otpauth'
import { normalizeCode } from '#contracts/rules/reading/text.ts'
import { sha256 } from '#server/lib/secrets.ts'
import type { Ids } from '#server/ports/ids.ts'

/** Parameters that every app for one-time codes supports (RFC 6238). */
export const TOTP_STEP_SECONDS = 30
const DIGITS = 6
const ALGORITHM = 'SHA1'

/** Number of the half minute since 1970, the counter of RFC 6238. */
export const stepAt = (now: Date) => Math.floor(now.getTime() / 1000 / TOTP_STEP_SECONDS)

/** Returns the code of a half minute. `secret` has 40 hex digits, the 20 bytes that RFC 4226 recommends. */
export const codeOfStep = (secret: string, step: number) =>
  HOTP.generate({ secret: Secret.fromHex(secret), algorithm: ALGORITHM, digits: DIGITS, counter: step })

/** How many half minutes before and after now are accepted, because the clocks of phones differ. */
const TOLERANCE = 1

/** The first and last half minute whose codes are accepted now. */
export const acceptedSteps = (now: Date) => ({ first: stepAt(now) - TOLERANCE, last: stepAt(now) + TOLERANCE })

/** Returns the half minute that a typed code belongs to, or undefined for a wrong code. */
export function findStep(secret: string, typed: string, now: Date) {
  const counter = stepAt(now)
  const token = normalizeCode(typed)
  if (!/^\d{6}$/.test(token)) return undefined
  const away = HOTP.validate({ secret: Secret.fromHex(secret), algorithm: ALGORITHM, digits: DIGITS, token, counter, window: TOLERANCE })
  return away === null ? undefined : counter + away
}

/** The secret in the form that a person types, and the URI of the QR code. */
export function presentTotpSecret(secret: string, { issuer, email }: { issuer: string; email: string }) {
  const shared = Secret.fromHex(secret)
  const totp = new TOTP({ issuer, label: email, algorithm: ALGORITHM, digits: DIGITS, period: TOTP_STEP_SECONDS, secret: shared })
  return { secret: shared.base32, uri: totp.toString() }
}

const RECOVERY_CODES = 10

/** Without I, L, O and U, which are easily misread (Crockford's base 32). */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** 140 random bits as seven groups of four characters: too many to guess even from a stolen hash. Older codes of four groups stay valid. */
function createCode(ids: Ids) {
  const bits = BigInt(`0x${ids.token().slice(0, 35)}`)
  const letters = Array.from({ length: 28 }, (_, place) => LETTERS[Number((bits >> BigInt(5 * place)) & 31n)])
  return letters.join('').replace(/.{4}(?=.)/g, '$&-')
}

export const createRecoveryCodes = (ids: Ids) => Array.from({ length: RECOVERY_CODES }, () => createCode(ids))

/** Case, blanks and hyphens do not matter; misread letters count as the digit they look like. */
export const hashRecoveryCode = (typed: string) => sha256(normalizeCode(typed).toUpperCase().replace(/O/g, '0').replace(/[IL]/g, '1'))
