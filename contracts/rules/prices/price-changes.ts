import { addMonths } from '#contracts/rules/subscription.ts'
import { DAY_MS } from '#contracts/rules/time.ts'

/** What happens to subscriptions that renew: they keep what they cost, or renew at the new price. */
export const RUNNING_CHANGES = ['keep', 'change'] as const

/** Days before a rise for which owners must have been told of it, and the limits of the setting. */
export const PRICE_NOTICE_DAYS = { usual: 30, least: 0, most: 365 } as const

type PlannedAmount = { unitAmount: number; startsAt: Date; cancelledAt: Date | null }

/** The amount of a price at an instant: the newest one that has begun and was not withdrawn, else `before`. */
export function findHeldAmount(before: number, planned: readonly PlannedAmount[], now: Date) {
  const begun = planned.filter(({ startsAt, cancelledAt }) => startsAt <= now && cancelledAt === null)
  const newest = begun.toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime()).at(-1)
  return newest?.unitAmount ?? before
}

/** The first instant from which a new amount may hold for running renewals: a rise needs its days of notice. */
export const earliestForRunning = (isRise: boolean, now: Date, noticeDays: number) =>
  isRise ? new Date(now.getTime() + noticeDays * DAY_MS) : now

/** From when owners get the mail about a new price. */
export const noticeStart = (startsAt: Date, now: Date, noticeDays: number) =>
  new Date(Math.max(now.getTime(), startsAt.getTime() - noticeDays * DAY_MS))

/** From when the next renewal of an owner costs the new amount: a rise waits until the days of notice have passed. */
export const renewalStart = ({ startsAt, isRise }: { startsAt: Date; isRise: boolean }, noticedAt: Date, noticeDays: number) =>
  new Date(Math.max(startsAt.getTime(), earliestForRunning(isRise, noticedAt, noticeDays).getTime()))

/** The first renewal at or after an instant, of a subscription that renews every so many months. */
export function nextRenewal(renewsAt: Date, every: number, from: Date) {
  let next = renewsAt
  for (let periods = 1; next < from && every > 0; periods++) next = addMonths(renewsAt, periods * every)
  return next
}

/** Twelve months of a renewal, in minor units, rounded. */
export const perYear = (sum: number, months: number) => (months > 0 ? Math.round((sum * 12) / months) : 0)
