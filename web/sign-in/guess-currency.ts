import type { Currency } from '#contracts/lib/constants.ts'

const CURRENCY_BY_REGION: Record<string, Currency> = { US: 'usd', GB: 'gbp', GG: 'gbp', IM: 'gbp', JE: 'gbp', CH: 'chf', LI: 'chf' }

/** Returns the currency of the browser's first region, or euro if it is not sold in. */
export function guessCurrency(languages: readonly string[]): Currency {
  const region = languages.map((tag) => tag.match(/[-_]([a-z]{2})$/i)?.[1]?.toUpperCase()).find((found) => found !== undefined)
  return CURRENCY_BY_REGION[region ?? ''] ?? 'eur'
}
