import type { Open } from '#contracts/lib/unknown-values.ts'
import { DAY_MS, type Instant, millis, millisOrOldest } from './time.ts'

/** State of a tracker's subscription. */
export const SUB_STATES = ['none', 'not_activated', 'active', 'ended'] as const
export type SubState = (typeof SUB_STATES)[number]

export const INVOICE_STATUSES = ['paid', 'open', 'failed'] as const
export type InvoiceStatus = Open<typeof INVOICE_STATUSES>

/** Months of service that come with a tracker, unless the list of stock says otherwise. */
export const INCLUDED_MONTHS = 12

/** A renewing subscription counts as ended only after this time, because the provider may still be charging the card. */
export const RENEWAL_GRACE_HOURS = 24

/** The current state of a subscription: an active one has ended once its end date has passed; without an end date it is unlimited. */
export const currentSubState = (stored: string, endDate: Instant | null, now: Date): SubState => {
  const state = parseSubState(stored)
  return state === 'active' && endDate !== null && millis(endDate) < now.getTime() ? 'ended' : state
}

type PausablePlan = { subState: string; subEndDate: Instant | null; pausedUntil: Instant | null }

/** Whether an active plan is paused now. */
export const isPaused = ({ subState, subEndDate, pausedUntil }: PausablePlan, now: Date) =>
  pausedUntil !== null && millis(pausedUntil) > now.getTime() && currentSubState(subState, subEndDate, now) === 'active'

/** A subscription without an end is never shortened by purchases, renewals and links. */
export const isUnlimited = (state: string, endDate: unknown) => state === 'active' && endDate === null

/** An unknown state, sent by another backend, counts as no state. */
export const parseSubState = (value: string): SubState => SUB_STATES.find((state) => state === value) ?? 'none'

export type SubscriptionAction = 'choose' | 'activate' | 'extend' | 'renew' | 'manage' | 'support'

const ACTIONS = { none: 'choose', not_activated: 'activate', active: 'extend', ended: 'renew' } as const

/**
 * What a consumer can do about a tracker's subscription. A tracker linked to a pro account leads to support; a renewing subscription is
 * managed, never extended by a purchase.
 */
export const subscriptionAction = (device: { linked_to_pro: boolean; sub_state: string; is_recurring: boolean }): SubscriptionAction => {
  if (device.linked_to_pro) return 'support'
  const action = ACTIONS[parseSubState(device.sub_state)]
  return action === 'extend' && device.is_recurring ? 'manage' : action
}

/**
 * Returns the end of a subscription after buying `months` and `extra` free ones: counted from its current end, or from now if that has
 * passed.
 */
export const computeEndDate = (now: Date, subEndDate: Instant | null, months: number, extra: number): Date =>
  addMonths(new Date(Math.max(now.getTime(), subEndDate === null ? 0 : millisOrOldest(subEndDate))), months + extra)

/** Adds calendar months in UTC: the day is clamped to the end of the month, the time of day preserved. */
export const addMonths = (from: Date, months: number): Date => {
  const date = new Date(from)
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  date.setUTCDate(Math.min(from.getUTCDate(), daysInMonth(date)))
  return date
}

/** The end of the next period of `months`, on `anchor`'s day of the month if `from` lies on it, or on the last day of a shorter month. */
export const continueMonths = (from: Date, months: number, anchor: Date): Date => {
  const isOnAnchor = from.getUTCDate() === Math.min(anchor.getUTCDate(), daysInMonth(from))
  const date = addMonths(from, months)
  if (isOnAnchor) date.setUTCDate(Math.min(anchor.getUTCDate(), daysInMonth(date)))
  return date
}

const daysInMonth = (date: Date) => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()

/** Returns the newest invoice if it failed, which triggers the warning to pay; an older failure does not. */
export const findFailedLastInvoice = <T extends { date: Instant; status: InvoiceStatus }>(invoices: readonly T[]): T | null => {
  const last = invoices.reduce<T | null>(
    (newest, one) => (newest && millisOrOldest(newest.date) >= millisOrOldest(one.date) ? newest : one),
    null,
  )
  return last?.status === 'failed' ? last : null
}

/** How often owners move plans without support: within a year, and the days between two moves. */
export type PlanMoveLimits = { perYear: number; days: number }
export const PLAN_MOVES: PlanMoveLimits = { perYear: 1, days: 30 }
export const YEAR_MS = 365 * DAY_MS

/** How often owners pause one plan without support within a year, and the most days of a pause. */
export type PlanPauseLimits = { perYear: number; days: number }
export const PLAN_PAUSES: PlanPauseLimits = { perYear: 1, days: 90 }

/**
 * From when an owner can move the next plan without support, given the earlier moves, newest first; in the past when that is possible now,
 * null when it never is.
 */
export function findNextMove(moved: readonly Date[], { perYear, days }: PlanMoveLimits): Date | null {
  if (perYear === 0) return null
  const first = moved[perYear - 1]
  const newest = moved[0]
  return new Date(Math.max(first ? first.getTime() + YEAR_MS : 0, newest ? newest.getTime() + days * DAY_MS : 0))
}
