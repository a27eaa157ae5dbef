import type { Currency } from '#contracts/lib/constants.ts'

const OF_REGION: Record<string, Currency> = { US: 'usd', GB: 'gbp', GG: 'gbp', IM: 'gbp', JE: 'gbp', CH: 'chf', LI: 'chf' }

/** The currency of the first region the browser names; the euro where it is none of ours. */
export function guessCurrency(languages: readonly string[]): Currency {
  const region = languages.map((tag) => tag.match(/[-_]([a-z]{2})$/i)?.[1]?.toUpperCase()).find((found) => found !== undefined)
  return OF_REGION[region ?? ''] ?? 'eur'
}
