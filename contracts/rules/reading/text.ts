/** Invisible characters: zero-width and filler characters, controls, bidi controls, soft hyphens, halves of surrogate pairs. */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\ufff9-\ufffb]/u
const NONE = /(?!)/
const CONTROL = /\p{Cc}/u
/** Line breaks, other characters that move the cursor, and the blank pattern of Braille. */
const BREAKS = / ?[\t\n\v\f\r\u0085\u2028\u2029\u2800]+[ \t\n\v\f\r\u0085\u2028\u2029\u2800]*/g
const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g
/** A character that is visible by itself. */
const VISIBLE = /[^\p{Z}\p{M}\p{Cc}\p{Cf}\p{Cs}]/u

/** Letters of scripts that never join; in all others ZWJ and ZWNJ decide how a word is written. */
const UNJOINED = /[\p{scx=Latin}\p{scx=Greek}\p{scx=Cyrillic}\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u
const LETTER = /[\p{L}\p{M}]/u
const MARK = /\p{M}/u
const PICTURE = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f/u
const PICTURE_AFTER = /\p{Extended_Pictographic}/u
const SELECTED = /[\p{Emoji}\p{S}\p{P}\p{scx=Han}\p{scx=Mongolian}\p{scx=Myanmar}\p{scx=Phags_Pa}]/u
const SELECTOR = /\p{Variation_Selector}/u
/** The black flag and the tags after it, such as of Scotland. */
const FLAG = /[\u{1f3f4}\u{e0020}-\u{e007f}]/u
const TAG = /[\u{e0020}-\u{e007f}]/u

/** Characters that are invisible by themselves, but may shape their neighbours. */
const SHAPING = /\p{Variation_Selector}|\u200c|\u200d|\u180e|[\u{e0020}-\u{e007f}]/u

/** Whether an invisible character changes how its neighbours look: part of a word of a joining script, or of an emoji. */
function isPartOfSign(character: string, before: string, after: string) {
  if (SELECTOR.test(character)) return SELECTED.test(before) && !SELECTOR.test(before)
  if (TAG.test(character)) return FLAG.test(before)
  if (character === '\u200d' && PICTURE.test(before) && PICTURE_AFTER.test(after)) return true
  if (!'\u200c\u200d\u180e'.includes(character) || !LETTER.test(before) || UNJOINED.test(before)) return false
  return LETTER.test(after) || (MARK.test(before) && !SELECTOR.test(before))
}

/** Composes accents and drops invisible characters, until there is nothing more to drop. */
function dropHidden(text: string, kept = NONE): string {
  if (!HIDDEN.test(text)) return text.normalize('NFC')
  const shown = dropOnce(text.normalize('NFC'), kept).normalize('NFC')
  return shown === text ? text : dropHidden(shown, kept)
}

function dropOnce(text: string, kept: RegExp) {
  const characters = [...text].filter((character) => kept.test(character) || !HIDDEN.test(character) || SHAPING.test(character))
  let before = ''
  const shown = characters.filter((character, at) => {
    const isShown = kept.test(character) || !HIDDEN.test(character) || isPartOfSign(character, before, characters[at + 1] ?? '')
    if (isShown) before = character
    return isShown
  })
  return shown.join('')
}

const emptyUnlessVisible = (text: string) => (VISIBLE.test(text) ? text : '')

/**
 * Normalizes a text of one line, such as a name: NFC, a blank for line breaks and tabs, no invisible characters; '' if nothing visible
 * remains.
 */
export const normalizeLine = (text: string) => emptyUnlessVisible(dropHidden(text.replace(BREAKS, ' ')).trim())

/** The key by which tag names are unique per account: case-insensitive, accents composed, all blanks alike. */
export const tagKey = (name: string) =>
  normalizeLine(name)
    .replace(/\p{Z}+/gu, ' ')
    .toLowerCase()

/** Normalizes a text of several lines like `normalizeLine`, but preserves line breaks. */
export const normalizeParagraphs = (text: string) =>
  emptyUnlessVisible(dropHidden(text.replace(LINE_ENDS, '\n').replace(/[\t\u2800]/g, ' '), /\n/).trim())

/** Normalizes a text for a search: without case, accents and invisible characters. */
export const foldCase = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLocaleLowerCase()

/** Dashes beyond Unicode's own category: the minus sign, the long vowel mark of Japanese keyboards, and two signs that look like a dash. */
const DASHES = /[\p{Pd}\u2212\u30fc\u02d7\u2043]/gu
const PLAIN = /^[0-9A-Za-z]*$/

/** The value of a digit of any script: the digits of a script are consecutive. */
function toAsciiDigit(digit: string) {
  let below = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(digit.codePointAt(0)! - below - 1))) below += 1
  return String(below % 10)
}

/** Blanks and other invisible characters. */
const UNSEEN = /[\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu
const toAscii = (text: string) => text.normalize('NFKC').replace(/[^\P{Nd}0-9]/gu, toAsciiDigit)

/** Normalizes a number or code as typed or pasted: without blanks, dashes and invisible characters, digits and Latin letters in ASCII. */
export const normalizeCode = (text: string) => (PLAIN.test(text) ? text : toAscii(text).replace(UNSEEN, '').replace(DASHES, ''))

/** Normalizes a key as pasted, in which dashes count: without blanks and invisible characters, any dash as a hyphen. */
export const normalizeKey = (text: string) => (/^[\w.-]*$/.test(text) ? text : toAscii(text).replace(UNSEEN, '').replace(DASHES, '-'))

export const isDeviceKey = (text: string) => /^[0-9a-f]{40}$/.test(text)
/** Normalizes a key of a device or network that was pasted into its app with blanks or in capitals; other text is returned unchanged. */
export function normalizeDeviceKey(text: string) {
  if (isDeviceKey(text)) return text
  const key = normalizeCode(text).toLowerCase()
  return isDeviceKey(key) ? key : text
}

/** Normalizes a phone number: ASCII digits and signs, plain blanks and hyphens. */
export const normalizePhone = (text: string) =>
  toAscii(dropHidden(text.replace(BREAKS, ' ')))
    .replace(/\p{Z}/gu, ' ')
    .replace(DASHES, '-')
    .trim()

/** Normalizes a password (RFC 8265): the same on all keyboards, otherwise as typed. */
export const normalizePassword = (text: string) => text.replace(/\p{Zs}/gu, ' ').normalize('NFC')

/**
 * Normalizes an e-mail address: NFC and lower case, no invisible characters, full-width signs in ASCII, and the domain in its ASCII form
 * (`xn--…`), which browsers use as well. An invalid domain makes it ''.
 */
export function normalizeAddress(text: string) {
  const typed = dropHidden(text.trim(), CONTROL)
    .replace(/[\uff01-\uff5e]/g, toHalfWidth)
    .trim()
    .toLowerCase()
  const at = typed.lastIndexOf('@') + 1
  return at === 0 ? typed : typed.slice(0, at) + toAsciiDomain(typed.slice(at))
}

const toHalfWidth = (sign: string) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0)

function toAsciiDomain(domain: string) {
  if (/^[\0-\x7f]*$/.test(domain)) return domain
  if (/[\s/?#:%\\[\]]/.test(domain)) return ''
  try {
    return new URL(`http://${domain}`).hostname
  } catch {
    return ''
  }
}

/** Normalizes what a user types to sign in: an e-mail address or a user name. */
export const normalizeLogin = (text: string) => (/[@\uff20]/.test(text) ? normalizeAddress(text) : normalizeLine(text).toLowerCase())

/** Printed on the product as `12345678-90`. */
export const IDENTIFIER_DIGITS = { head: 8, tail: 2 } as const
const SERIAL_LENGTH = 12
const VERIFICATION_CODE_LENGTH = 8

const { head, tail } = IDENTIFIER_DIGITS
const IDENTIFIER = new RegExp(`^\\d{${head + tail}}$`)
const SERIAL = new RegExp(`^[A-Za-z0-9]{${SERIAL_LENGTH}}$`)
const CODE = new RegExp(`^[A-Za-z0-9]{${VERIFICATION_CODE_LENGTH}}$`)

const normalizeAs = (shape: RegExp) => (text: string) => {
  const characters = normalizeCode(text)
  return shape.test(characters) ? characters.toUpperCase() : null
}

/** Normalizes an identifier typed as 8+2 digits to 10 digits; null means "Invalid ID". */
export const normalizeIdentifier = normalizeAs(IDENTIFIER)

/** As printed on the product: `12345678-90`. */
export const formatIdentifier = (digits: string) => `${digits.slice(0, head)}-${digits.slice(head)}`

/** Normalizes an S/N to 12 upper-case characters without blanks and dashes; null if it is invalid. */
export const normalizeSerial = normalizeAs(SERIAL)

/** Normalizes the code of 8 characters A–Z and 0–9 that links a subscription, without blanks and dashes; null if it is invalid. */
export const normalizeVerificationCode = normalizeAs(CODE)

const REFERENCE_DIGITS = 6

/** The public reference of a request to support, such as `UR-000123`. */
export const formatReference = (id: number) => `UR-${String(id).padStart(REFERENCE_DIGITS, '0')}`
export const parseReference = (reference: string) => Number(reference.replace(/^UR-/, ''))
