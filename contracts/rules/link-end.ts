import { PERMANENT_AFTER_YEAR } from '#contracts/lib/constants.ts'
import { type Instant, millis } from './instant.ts'

/** Share links ending after the year 2100, in UTC, are shown as permanent. */
export const isShownPermanent = (endDate: Instant) => new Date(endDate).getUTCFullYear() > PERMANENT_AFTER_YEAR

/** `expiry` is the instant at which a link stops working; null never comes (D-17). */
export const isLinkExpired = (expiry: Instant | null, now: Date) => expiry !== null && millis(expiry) <= now.getTime()
