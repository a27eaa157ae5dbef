import { FLEETS, NUMBER_KINDS, type NumberKind, normalizeIdentifier, normalizeNetworkNumber, normalizeSerial } from './port.ts'

type Kind = 'identifier' | 'serial' | NumberKind

const KEYS: Record<Kind, RegExp> = {
  identifier: /^((tracker|device)_?)?identifiers?$/i,
  serial: /^((tracker|device)_?)?(serials?(_?(number|no))?|sn|s_n)$/i,
  imei: /^imei$/i,
  dev_eui: /^dev_?eui$/i,
  sigfox: /^sigfox(_?id)?$/i,
}
const KINDS = ['identifier', 'serial', ...NUMBER_KINDS] as const

const pad = (count: number, digits: number) => String(count).padStart(digits, '0')

/** Numbers of the same form, derived from their count. */
const MAKE: Record<Kind, (count: number) => string> = {
  identifier: (count) => `99${pad(count, 8)}`,
  serial: (count) => `MADE${pad(count, 8)}`,
  imei: (count) => addLuhnDigit(`990000${pad(count, 8)}`),
  dev_eui: (count) => `FFFFFFFF${pad(count, 8)}`,
  sigfox: (count) => `F${pad(count, 7)}`,
}
const MADE: Record<Kind, RegExp> = { identifier: /^990/, serial: /^MADE0/, imei: /^9900000/, dev_eui: /^FFFFFFFF0/, sigfox: /^F00/ }

const normalize = (kind: Kind, text: string) => {
  if (kind === 'identifier') return normalizeIdentifier(text)
  return kind === 'serial' ? normalizeSerial(text) : normalizeNetworkNumber(kind, text)
}

/** A number that proves or claims a tracker: its kind, its stored form, and its possible replacements. */
export type TrackerNumber = { kind: Kind; stored: string; make(count: number): string }

const isMade = (kind: Kind, stored: string) =>
  MADE[kind].test(stored) || (kind === 'identifier' && FLEETS.some(({ head }) => stored.startsWith(head)))

/**
 * Recognizes the number of a tracker by the name of its field and by its form; null for anything else, for a made-up one, and for the
 * demo's own identifiers, by which every world moves its trackers.
 */
export function parseTrackerNumber(key: string, value: string): TrackerNumber | null {
  const kind = KINDS.find((each) => KEYS[each].test(key))
  const stored = kind && normalize(kind, value)
  return kind && stored && !isMade(kind, stored) ? { kind, stored, make: MAKE[kind] } : null
}

/** The notations that people and programs use for a number: unchanged, as stored, in lower case, and with its separator. */
export const listSpellings = (value: string, { kind, stored }: Pick<TrackerNumber, 'kind' | 'stored'>) => [
  value,
  stored,
  stored.toLowerCase(),
  ...(kind === 'identifier' ? [`${stored.slice(0, 8)}-${stored.slice(8)}`, `${stored.slice(0, 8)} ${stored.slice(8)}`] : []),
]

/** Formats a made-up number with the separators of a real one. */
export function writeLike(real: string, made: string) {
  let next = 0
  const written = real.trim().replace(/[\da-z]/gi, () => made[next++] ?? '')
  return next === made.length ? written : made
}

function addLuhnDigit(digits: string) {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}
