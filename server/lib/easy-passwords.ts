import list from './common-passwords.json' with { type: 'json' }
import { invalidField } from './errors.ts'

/** The 10,000 most common passwords that meet the contract's minimum length, in lower case. */
const common = new Set(list.split(' '))

/** The rest of a password without words that are known about its owner must be at least this long. */
const MIN_REST = 5
/** Shorter words, such as initials, occur by chance. */
const MIN_WORD = 3

type Portal = { productName: string; origin: string }
type Owner = { email: string; username?: string | undefined; firstName?: string | null; lastName?: string | null }

/**
 * Throws a field error for a password that is easily guessed: a common one, or little more than the owner's name or e-mail, or the name or
 * host of the portal.
 */
export function requireGoodPassword(field: string, password: string, owner: Owner, portal: Portal) {
  const lower = password.toLowerCase()
  if (common.has(lower) || isRepeated(lower)) throw invalidField(field, 'is one of the most common passwords')
  const rest = listOwnWords(owner, portal).reduce((left, word) => left.replaceAll(word, ''), lower)
  if (rest !== lower && rest.length < MIN_REST)
    throw invalidField(field, 'is easy to guess from the name or e-mail address, or from the name of the portal')
}

/** One or two characters repeated. */
const isRepeated = (text: string) => /^(.{1,2})\1+.?$/su.test(text)

/** Longest first, so that the whole address is removed before its parts. */
function listOwnWords({ email, username = '', firstName, lastName }: Owner, { productName, origin }: Portal) {
  const { hostname } = new URL(origin)
  const whole = [email, username, productName, hostname]
  const words = [...whole, ...[...whole, firstName ?? '', lastName ?? ''].join(' ').split(/[^\p{L}\p{N}]+/u)]
  return [...new Set(words.map((word) => word.toLowerCase()).filter((word) => word.length >= MIN_WORD))].sort((a, b) => b.length - a.length)
}
