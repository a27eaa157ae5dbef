/** Digits of Persian, Arabic and full-width keyboards, Arabic separators, and the dashes that stand for a minus. */
const FOREIGN = /[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19\u066b\u066c\u2012\u2013\u2212]/g
const SIGNS: Record<string, string> = { '\u066b': '.', '\u066c': "'", '\u2012': '-', '\u2013': '-', '\u2212': '-' }

/** Rewrites the digits, separators and minus signs of other scripts as those of ASCII, and all blanks as plain ones. */
export const toAscii = (text: string): string =>
  isAscii(text) ? text : text.replace(/\s/g, ' ').replace(FOREIGN, (sign) => SIGNS[sign] ?? String(sign.charCodeAt(0) & 0x0f))

function isAscii(text: string) {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) return false
  return true
}

/** Longer than any number, coordinate or time. A longer text is only sent to keep the server busy. */
const LONGEST = 100
export const isTooLong = ({ length }: string) => length > LONGEST

const PLAIN = /^[+-]?(\d+(?:[.,]\d*)?|[.,]\d+)(e[+-]?\d+)?$/i
/** The thousands separator differs from the decimal one. */
const GROUPED = /^[+-]?\d{1,3}(?:(?:,\d{3})+\.\d+|(?:\.\d{3})+,\d+|(?:[ '’]\d{3})+(?:[.,]\d+)?)$/

/** A finite number, or a text that is one, with a decimal point or comma; undefined for anything else. */
export function readNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string' || isTooLong(value)) return undefined
  const text = toAscii(value).trim()
  const plain = PLAIN.test(text) ? text.replace(',', '.') : GROUPED.test(text) ? ungroup(text) : undefined
  const number = plain === undefined ? Number.NaN : Number(plain)
  return Number.isFinite(number) ? number : undefined
}

function ungroup(text: string) {
  const decimals = /[.,](\d+)$/.exec(text)
  const whole = (decimals ? text.slice(0, decimals.index) : text).replace(/[^\d+-]/g, '')
  return decimals ? `${whole}.${decimals[1]}` : whole
}

/** The quantity of a measurement, which determines the unit of the result: km/h, metres, degrees, percent or volts. */
export type Quantity = 'speed' | 'length' | 'angle' | 'share' | 'voltage'

/** Factors from a unit to the one of its quantity, by the unit's name without blanks, dots and signs. */
const UNITS: Record<Quantity, Record<string, number>> = {
  speed: {
    ...unitsOf(1, 'kmh', 'kph', 'kmph', 'kmhr', 'kilometersperhour', 'kilometresperhour'),
    ...unitsOf(3.6, 'ms', 'mps', 'msec', 'meterspersecond', 'metrespersecond', 'metersperseconds'),
    ...unitsOf(1.609344, 'mph', 'mih', 'milesperhour'),
    ...unitsOf(1.852, 'kn', 'kt', 'kts', 'knot', 'knots'),
  },
  length: {
    ...unitsOf(1, 'm', 'meter', 'meters', 'metre', 'metres'),
    ...unitsOf(0.3048, 'ft', 'foot', 'feet'),
    ...unitsOf(1000, 'km', 'kilometers', 'kilometres'),
    ...unitsOf(0.01, 'cm'),
    ...unitsOf(0.001, 'mm'),
  },
  angle: unitsOf(1, 'deg', 'degree', 'degrees', '°'),
  share: unitsOf(1, '%', 'percent', 'pct'),
  voltage: { ...unitsOf(1, 'v', 'volt', 'volts'), ...unitsOf(0.001, 'mv', 'millivolt', 'millivolts') },
}

function unitsOf(factor: number, ...names: string[]): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, factor]))
}

const plainUnit = (unit: string) => unit.toLowerCase().replace(/[\s./_^-]|\*|⁻¹/g, '')

/** The factor from the unit that a text names to the unit of the quantity; undefined for a unit of something else. */
const findFactor = (unit: string, quantity: Quantity): number | undefined => {
  const name = plainUnit(unit)
  return Object.hasOwn(UNITS[quantity], name) ? UNITS[quantity][name] : undefined
}

const MEASURE = /^([+-]?[\d.,'’ ]*\d[.,]?(?:e[+-]?\d+)?)\s*([a-z°%][a-z°%./ ]*)?$/i

/**
 * Reads a measurement in the unit of its quantity. `unit` is the default for numbers without one, such as `mph`; a unit after the number
 * itself, as in `12 m`, takes precedence. Undefined for other text, or for a unit of something else.
 */
export function readMeasure(value: unknown, quantity: Quantity, unit?: string): number | undefined {
  const factor = unit === undefined ? 1 : findFactor(unit, quantity)
  const number = readNumber(value)
  if (number !== undefined) return factor === undefined ? undefined : scale(number, factor)
  if (typeof value !== 'string' || isTooLong(value)) return undefined
  const [, digits = '', own = ''] = MEASURE.exec(toAscii(value).trim()) ?? []
  const [read, ownFactor] = [readNumber(digits), findFactor(own, quantity)]
  return read === undefined || ownFactor === undefined ? undefined : scale(read, ownFactor)
}

/** Rounded, so that 12 m remain 12 m. */
const scale = (number: number, factor: number) => (factor === 1 ? number : Math.round(number * factor * 1e6) / 1e6)

/**
 * Splits the unit off the name of a column or field: `speed (mph)`, `alt_ft`, `speedKmh`, `Speed, km/h`. The unit is undefined when the
 * name contains none of this quantity.
 */
export function splitUnit(name: string, quantity: Quantity): { name: string; unit?: string } {
  if (isTooLong(name)) return { name }
  const [, bracketed = '', inside = ''] = /^(.*?)\s*[([,/]\s*([^()[\],]+?)\s*[)\]]?\s*$/.exec(name) ?? []
  if (bracketed && findFactor(inside, quantity) !== undefined) return { name: bracketed, unit: inside }
  const words = name.split(/[\s_-]+|(?<=[a-z])(?=[A-Z])/)
  for (const count of [1, 2, 3]) {
    const unit = words.slice(-count).join('')
    if (words.length > count && findFactor(unit, quantity) !== undefined) return { name: words.slice(0, -count).join(' '), unit }
  }
  return { name }
}
