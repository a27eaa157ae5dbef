import { useTranslation } from 'react-i18next'
import classes from './password-strength.module.css'

/** Bits that each letter after the third of a word adds: words are guessed as a whole, so their later letters add little. */
const WORD_BITS = 2.5
const WORD_START = 3
/** A character that repeats or continues the one before: aaaa, 1234, dcba. */
const RUN_BITS = 1
/** One of about a hundred years. */
const YEAR_BITS = 7
/** Common beginnings of passwords that people make up. */
const STEM_BITS = 5
const STEMS =
  /password|passwort|qwert[yz]|azerty|letmein|welcome|iloveyou|dragon|monkey|football|princess|admin|login|master|tracker|whereabouts/gu

/** The number of possible characters, by those that the password uses. */
const POOLS: [RegExp, number][] = [
  [/\p{Ll}/u, 26],
  [/\p{Lu}/u, 26],
  [/\d/u, 10],
  [/[^\p{L}\d]/u, 33],
  [/\P{ASCII}/u, 100],
]

/**
 * Estimates the bits of a guessing attack, which tries words, years, runs and the most common passwords first. No dictionary: the server
 * itself rejects the 10,000 most common passwords.
 */
function estimateBits(password: string) {
  const pool = POOLS.reduce((size, [pattern, more]) => size + (pattern.test(password) ? more : 0), 0)
  const bitsOfCharacter = Math.log2(pool || 1)
  let bits = 0
  const count = (pattern: RegExp, each: number) => (text: string) =>
    text.replace(pattern, () => {
      bits += each
      return ' '
    })
  const rest = count(/(?<!\d)(19|20)\d\d(?!\d)/g, YEAR_BITS)(count(STEMS, STEM_BITS)(password.toLowerCase()))
  let word = 0
  let before = ''
  for (const character of rest) {
    word = /[\p{Ll}\p{Lu}]/u.test(character) ? word + 1 : 0
    const step = before ? (character.codePointAt(0) ?? 0) - (before.codePointAt(0) ?? 0) : Number.NaN
    const isRun = Math.abs(step) <= 1
    bits += isRun ? RUN_BITS : word > WORD_START ? Math.min(WORD_BITS, bitsOfCharacter) : bitsOfCharacter
    before = character
  }
  return bits
}

const LEVELS = ['weak', 'fair', 'good', 'strong'] as const
/** Minimum bits of each level after the first. */
const LIMITS = [45, 60, 80]

export const levelOf = (password: string) => LEVELS[LIMITS.filter((limit) => estimateBits(password) >= limit).length] ?? 'strong'

/** The strength of the password: a bar and a word, and advice while it is weak. Nothing depends on it. */
export default function PasswordStrength({ password }: { password: string }) {
  const { t } = useTranslation()
  const level = levelOf(password)
  return (
    <div className={classes.strength} data-level={level}>
      <span aria-hidden="true" className={classes.bar}>
        {LEVELS.map((each, index) => (
          <i key={each} data-on={index <= LEVELS.indexOf(level) || undefined} />
        ))}
      </span>
      {/* No status: that is the outcome of what somebody does. */}
      <span aria-live="polite">
        {t(`account.strength.${level}`)}
        {level === 'weak' && <> {t('account.strength.advice')}</>}
      </span>
    </div>
  )
}
