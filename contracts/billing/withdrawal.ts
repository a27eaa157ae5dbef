import { DAY_MS, HOUR_MS } from '#contracts/rules/time.ts'

/** The page on which customers withdraw from a contract, without signing in. */
export const WITHDRAWAL_PATH = '/mail/withdraw/'

/** The page in a language, with the number of an order or an invoice filled in. */
export const buildWithdrawalPath = (language: string, reference: string) =>
  `${WITHDRAWAL_PATH}?${new URLSearchParams({ language, reference })}`

/**
 * What follows a withdrawal. `return`: the money goes back once the device has come back; `again`: it was declared or paid back before;
 * `closed`: too late, or not in this country; `unknown`: no such contract of this address.
 */
export const WITHDRAWAL_OUTCOMES = ['refund', 'return', 'again', 'closed', 'unknown'] as const
export type WithdrawalOutcome = (typeof WITHDRAWAL_OUTCOMES)[number]

/** The last day ends everywhere on earth: twelve hours after it does in UTC. */
const LATEST_ZONE_MS = 12 * HOUR_MS

/** Whether the days to withdraw are over. The day from which they count is not one of them. */
export function isTooLate(from: Date, days: number, now: Date) {
  const midnight = Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), from.getUTCDate())
  return now.getTime() >= midnight + (days + 1) * DAY_MS + LATEST_ZONE_MS
}
