import { normalizeCode } from './text.ts'

/** Kinds of identifiers of a tracker in networks. */
export const NUMBER_KINDS = ['imei', 'dev_eui', 'sigfox'] as const
export type NumberKind = (typeof NUMBER_KINDS)[number]

/** Networks and servers that forward uplinks of hardware trackers; each has a path under `/ingest/`. */
export const NETWORKS = ['traccar', 'chirpstack', 'helium', 'tts', 'thingpark', 'sigfox'] as const
export type Network = (typeof NETWORKS)[number]

/** The most keys per account with which networks may report for all of its trackers. */
export const MAX_NETWORK_KEYS = 10

/** Normalizes an identifier of a kind as it is stored; null if it is invalid. */
export const normalizeNetworkNumber = (kind: NumberKind, text: string): string | null =>
  NORMALIZE[kind](normalizeCode(text).replace(/:/g, ''))

const NORMALIZE: Record<NumberKind, (text: string) => string | null> = {
  imei: (text) => (/^\d{15}$/.test(text) && hasLuhnDigit(text) ? text : null),
  dev_eui: (text) => (/^[0-9a-f]{16}$/i.test(text) ? text.toUpperCase() : null),
  sigfox: (text) => (/^[0-9a-f]{1,8}$/i.test(text) && !/^0+$/.test(text) ? text.toUpperCase().replace(/^0+/, '') : null),
}

/** Whether the last digit checks the others, as in card numbers and IMEIs: every second digit counts double, as the sum of its digits. */
function hasLuhnDigit(digits: string) {
  let sum = 0
  for (const [index, digit] of [...digits].reverse().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}
