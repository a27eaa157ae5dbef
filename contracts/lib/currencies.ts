/** Two-decimal currencies an account can have; nothing is sold in chf. */
export const CURRENCIES = ['eur', 'usd', 'gbp', 'chf'] as const
export type Currency = (typeof CURRENCIES)[number]
