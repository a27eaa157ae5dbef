import { sha256 } from '#server/lib/secrets.ts'
import type { Ids } from '#server/ports/ids.ts'

const RECOVERY_CODES = 10

/** Without I, L, O and U, which are misread (Crockford's base 32). */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** 80 random bits as four groups of four characters: too many to guess even from a stolen hash. */
function createCode(ids: Ids) {
  const bits = BigInt(`0x${ids.token().slice(0, 20)}`)
  const letters = Array.from({ length: 16 }, (_, place) => LETTERS[Number((bits >> BigInt(5 * place)) & 31n)])
  return letters.join('').replace(/.{4}(?=.)/g, '$&-')
}

export const createRecoveryCodes = (ids: Ids) => Array.from({ length: RECOVERY_CODES }, () => createCode(ids))

/** Case, blanks and hyphens do not matter; misread letters count as the digit they look like. */
export const hashRecoveryCode = (typed: string) =>
  sha256(typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1'))
