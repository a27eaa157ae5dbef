import type { InvoiceStatus } from '#contracts/lib/constants.ts'
import { type Instant, millis } from './instant.ts'

/** Returns the newest invoice if it failed, which triggers the warning to pay; an older failure does not. */
export const failedLastInvoice = <T extends { date: Instant; status: InvoiceStatus }>(invoices: readonly T[]): T | null => {
  const last = invoices.reduce<T | null>((newest, one) => (newest && millis(newest.date) >= millis(one.date) ? newest : one), null)
  return last?.status === 'failed' ? last : null
}
