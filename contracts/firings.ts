import * as z from 'zod/mini'
import { FiredRule } from '#contracts/alerts.ts'
import { Id, IdParams, Instant, Latitude, Longitude, openEnum, Whole } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { FIRING_KINDS, type FiringKind } from '#contracts/rules/tracking/rules/firing-kinds.ts'

export { FIRING_KINDS, type FiringKind }

/** Days for which fired alerts are stored. */
export const FIRING_DAYS = 365

/** How people and programs are notified of an alert. */
export const NOTICE_WAYS = ['email', 'push', 'webhook', 'telegram', 'ntfy'] as const
export type NoticeWay = (typeof NOTICE_WAYS)[number]

/**
 * `sent`: a mail server or a push service took it; `delivered`: the receiver itself took it; `held`: until the end of quiet hours; `muted`
 * and `limit`: never sent, for the reason; `unknown`: its channel was removed, and with it what was known of it.
 */
export const NOTICE_STATES = ['waiting', 'sent', 'delivered', 'failed', 'held', 'muted', 'limit', 'unknown'] as const
export type NoticeState = (typeof NOTICE_STATES)[number]

/** Why nothing was sent, or why it failed: `status` is the answer of a receiver, `mail_server` that of a mail server. */
export const NOTICE_REASONS = [
  ...(['unsubscribed', 'not_agreed', 'unconfirmed', 'quiet_hours', 'silenced', 'daily_limit'] as const),
  ...([
    'gone',
    'refused',
    'expired',
    'stopped',
    'removed',
    'discarded',
    'mail_server',
    'status',
    'timeout',
    'unreachable',
    'not_allowed',
  ] as const),
] as const
export type NoticeReason = (typeof NOTICE_REASONS)[number]

/** What became of one notice of an alert. */
export const FiringNotice = z.object({
  way: openEnum(NOTICE_WAYS),
  /** An address, the name of a browser, or the label of a channel. Shortened for those other than the owner and the recipient. */
  to: z.nullable(z.string()),
  state: openEnum(NOTICE_STATES),
  /** When it got into this state; of a waiting or held one, when it is sent next. Null where that is not known. */
  at: z.nullable(Instant),
  reason: z.nullable(openEnum(NOTICE_REASONS)),
  /** The status with which a receiver answered. */
  status: z.optional(z.int()),
})
export type FiringNotice = z.infer<typeof FiringNotice>

/** An alert that fired; it outlives the alert and the place. Alerts of the same kind and place that fire together are one. */
export const AlertFiring = z.object({
  id: Id,
  /** Time of the position, of the message, or for what fires without one the time at which it was due. */
  at: Instant,
  kind: openEnum(FIRING_KINDS),
  device: Id,
  device_name: z.string(),
  place: z.nullable(Id),
  /** Name of the alert when it fired. */
  place_name: z.nullable(z.string()),
  /** The rule that fired, as it was then; absent for other alerts. */
  rule: z.optional(FiredRule),
  /** The other tracker of a rule about two, and how many metres they were from each other; absent for other alerts. */
  other: z.optional(Id),
  other_name: z.optional(z.string()),
  distance: z.optional(z.int()),
  /** How many e-mails were sent. */
  mails: z.int(),
  /** When the server learned of it; later than `at` where a position arrived late. Nobody is notified of one that is an hour old. */
  published_at: z.optional(Instant),
  /** Where it fired, while the positions of that time are stored. */
  lat: z.optional(Latitude),
  lng: z.optional(Longitude),
  precision: z.optional(z.int()),
  address: z.optional(z.string()),
  /** Absent for alerts that fired before these lines were stored. */
  notices: z.optional(z.array(FiringNotice)),
  /** Whether the user has seen it; absent for support. */
  seen: z.optional(z.boolean()),
  /** Present and true if somebody of the account marked it as a false alarm. */
  false_alarm: z.optional(z.boolean()),
})
export type AlertFiring = z.infer<typeof AlertFiring>

export const firings = {
  list: {
    method: 'GET',
    path: '/alert_firings/',
    summary: `Returns a page of the alerts that fired in the last ${FIRING_DAYS} days, the newest first; \`next\` is the \`before\` of the next page`,
    access: rights.readPlaces,
    scope: 'alerts:read',
    showsPositions: true,
    query: z.object({
      device: z.optional(Whole),
      place: z.optional(Whole),
      kind: z.optional(z.enum(FIRING_KINDS)),
      /** Only those that the user has not seen. */
      unread: z.optional(z.literal('true')),
      /** Of a period, from an instant on and before another one. */
      from: z.optional(Instant),
      to: z.optional(Instant),
      before: z.optional(z.string().check(z.regex(/^\d{1,15}-\d{1,15}$/))),
    }),
    response: { 200: z.object({ firings: z.array(AlertFiring), next: z.nullable(z.string()) }) },
    safety: 'read',
    provenance: 'ours',
  },
} as const satisfies Contract

const inbox = { scope: 'alerts:write', access: rights.changePlaces, provenance: 'ours', safety: 'reversible' } as const

/** What users have seen of the alerts that fired, and which were false alarms. */
export const alertInbox = {
  read: {
    method: 'GET',
    path: '/alert_firings/:id/',
    summary: 'Returns one alert that fired',
    access: rights.readPlaces,
    scope: 'alerts:read',
    showsPositions: true,
    params: IdParams,
    response: { 200: AlertFiring },
    safety: 'read',
    provenance: 'ours',
  },
  change: {
    ...inbox,
    method: 'PATCH',
    path: '/alert_firings/:id/',
    summary: 'Marks an alert that fired as seen or not, for the user, and as a false alarm or not, for the account',
    showsPositions: true,
    params: IdParams,
    body: z.object({ seen: z.optional(z.boolean()), false_alarm: z.optional(z.boolean()) }),
    response: { 200: AlertFiring },
  },
  see: {
    ...inbox,
    method: 'POST',
    path: '/alert_firings/seen/',
    summary: 'Marks all alerts as seen up to the one with this id; returns how many the user has not seen, 100 meaning that or more',
    body: z.object({ up_to: Id.check(z.nonnegative()) }),
    response: { 200: z.object({ unread: z.int() }) },
  },
} as const satisfies Contract
