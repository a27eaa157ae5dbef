import { type Instant, millis } from './time.ts'

export const MAX_PUBLIC_LINKS = 5

/** The most trackers of one link. They share its limit of positions, so each shows at least a hundred. */
export const MAX_LINK_TRACKERS = 50

/** A link that ends after this UTC year is shown as permanent. */
export const PERMANENT_AFTER_YEAR = 2100
export const PERMANENT_END_DATE = '2200-01-01T00:00:00Z'
/** Durations offered for a link: 1 hour, 24 hours, 7 days, 30 days. */
export const LINK_DURATION_HOURS = [1, 24, 168, 720] as const

export type LinkRequest = { start_date?: Instant | null; end_date?: Instant | null; permanent?: boolean; from_beginning?: boolean }
export type LinkDates = { start: Date | null; end: Date; expiry: Date | null }
export type LinkFault = 'required' | 'past' | 'before_start'

/** Returns the dates of a new public link, or what is wrong with its end. A null start means from the first fix. */
export const computeLinkDates = (request: LinkRequest, now: Date): LinkDates | LinkFault => {
  const start = request.from_beginning ? null : new Date(request.start_date ?? now)
  if (request.permanent) return { start, end: new Date(PERMANENT_END_DATE), expiry: null }
  if (!request.end_date) return 'required'
  const end = new Date(request.end_date)
  if (end <= now) return 'past'
  if (start && end <= start) return 'before_start'
  return { start, end, expiry: end }
}

/** The period of positions a link shows: from its start (null: from the first one) until now, or until its end if that has passed. */
export const linkWindow = (link: { start_date: Instant | null; end_date: Instant }, now: Date) => ({
  from: link.start_date === null ? null : new Date(link.start_date),
  to: new Date(Math.min(now.getTime(), millis(link.end_date))),
})

/** Links ending after the year 2100 (UTC) are shown as permanent. */
export const isShownPermanent = (endDate: Instant) => new Date(endDate).getUTCFullYear() > PERMANENT_AFTER_YEAR

/** `expiry` is when a link stops working; null means never. */
export const isLinkExpired = (expiry: Instant | null, now: Date) => expiry !== null && millis(expiry) <= now.getTime()

/** The address of a link, with its uuid or, on another backend, with the token that it gives the link. */
export const shareUrl = (origin: string, { uuid, token }: { uuid: string; token?: string | null | undefined }) =>
  `${origin}/pub/trackers?token=${encodeURIComponent(token ?? uuid)}`
