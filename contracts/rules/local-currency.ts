import type { Currency } from '#contracts/lib/currencies.ts'

/** Regions with a currency of their own, of those in which something is sold. */
const CURRENCY_BY_REGION: Record<string, Currency> = {
  ...{ US: 'usd', GB: 'gbp', GG: 'gbp', IM: 'gbp', JE: 'gbp', CH: 'chf', LI: 'chf', CZ: 'czk', DK: 'dkk', FO: 'dkk', GL: 'dkk' },
  ...{ HU: 'huf', JP: 'jpy', NO: 'nok', SJ: 'nok', PL: 'pln', SE: 'sek' },
}

/** Languages that browsers list without a region, and that are mostly spoken in one of the regions above. */
const CURRENCY_BY_LANGUAGE: Record<string, Currency> = {
  ...{ cs: 'czk', da: 'dkk', fo: 'dkk', hu: 'huf', ja: 'jpy', nb: 'nok', nn: 'nok', no: 'nok', pl: 'pln', sv: 'sek' },
}

const CURRENCY_BY_ZONE: Record<string, Currency> = {
  ...{ 'Europe/London': 'gbp', 'Europe/Belfast': 'gbp', 'Europe/Guernsey': 'gbp', 'Europe/Isle_of_Man': 'gbp', 'Europe/Jersey': 'gbp' },
  ...{ 'Europe/Zurich': 'chf', 'Europe/Vaduz': 'chf', 'Europe/Prague': 'czk', 'Europe/Copenhagen': 'dkk', 'Atlantic/Faroe': 'dkk' },
  ...{ 'America/Nuuk': 'dkk', 'America/Godthab': 'dkk', 'Europe/Budapest': 'huf', 'Asia/Tokyo': 'jpy', 'Europe/Oslo': 'nok' },
  ...{ 'Arctic/Longyearbyen': 'nok', 'Europe/Warsaw': 'pln', 'Europe/Stockholm': 'sek' },
}

/**
 * The currency of the user's country: that of the region of the preferred language, such as `de-CH`, or of the only country of that
 * language, or of the time zone, or of the first region among the other languages, because a browser in German lists `en-US` too. A
 * country in whose currency nothing is sold has the euro. Undefined if nothing tells the country.
 */
export function findLocalCurrency([preferred = '', ...others]: readonly string[], zone = ''): Currency | undefined {
  const own = findRegionalCurrency(preferred) ?? CURRENCY_BY_LANGUAGE[preferred.toLowerCase()]
  const zoned = CURRENCY_BY_ZONE[zone] ?? (zone.startsWith('Europe/') ? 'eur' : undefined)
  return own ?? zoned ?? others.map(findRegionalCurrency).find((found) => found !== undefined)
}

function findRegionalCurrency(tag: string): Currency | undefined {
  const region = tag.match(/[-_]([a-z]{2})$/i)?.[1]?.toUpperCase()
  return region === undefined ? undefined : (CURRENCY_BY_REGION[region] ?? 'eur')
}
