/** Currencies that every backend takes for an account. */
export const COMMON_CURRENCIES = ['eur', 'usd', 'gbp', 'chf'] as const
/** Currencies that an account of this server can have, and in which it sells. */
export const CURRENCIES = [...COMMON_CURRENCIES, 'czk', 'dkk', 'huf', 'jpy', 'nok', 'pln', 'sek'] as const
export type Currency = (typeof CURRENCIES)[number]
