import { COMMON_CURRENCIES, CURRENCIES, type Currency } from '#contracts/lib/currencies.ts'
import { findLocalCurrency } from '#contracts/rules/local-currency.ts'
import { hasFeature } from './features.ts'

/** The currency of the country of the browser; undefined if its languages and time zone do not tell one. */
export const findBrowserCurrency = () => findLocalCurrency(navigator.languages, Intl.DateTimeFormat().resolvedOptions().timeZone)

/** Currencies that an account can have on this backend. */
export const listAccountCurrencies = (): readonly Currency[] => (hasFeature('currencies') ? CURRENCIES : COMMON_CURRENCIES)

/** The currency of a new account. */
export const pickNewCurrency = (): Currency => listAccountCurrencies().find((currency) => currency === findBrowserCurrency()) ?? 'eur'
