import { PERMANENT_AFTER_YEAR } from '#contracts/lib/constants.ts'
import { type Instant, millis } from './instant.ts'

/** Links ending after the year 2100 (UTC) are shown as permanent. */
export const isShownPermanent = (endDate: Instant) => new Date(endDate).getUTCFullYear() > PERMANENT_AFTER_YEAR

/** `expiry` is when a link stops working; null means never. */
export const isLinkExpired = (expiry: Instant | null, now: Date) => expiry !== null && millis(expiry) <= now.getTime()
