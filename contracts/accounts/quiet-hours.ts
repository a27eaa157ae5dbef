import * as z from 'zod/mini'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { leavesTime } from '#contracts/rules/tracking/rules/quiet-hours.ts'

const ClockTime = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/))

/** A daily period, which may span midnight. */
const Quiet = z.object({ from: ClockTime, to: ClockTime })

/** A weekly period in the form of the schedule of an alert: 1 is Monday, and with two equal times it lasts for 24 hours. */
const Span = z.object({
  days: z.array(z.int().check(z.minimum(1), z.maximum(7))).check(z.minLength(1), z.maxLength(7)),
  from: ClockTime,
  to: ClockTime,
})

/** Spans per user. */
export const MAX_SPANS = 20

export const QuietHours = z.object({
  /** The first of the spans that is for every day; null without one. */
  quiet: z.nullable(Quiet),
  /** All weekly spans, none without quiet hours; absent if a backend knows only the daily one. */
  spans: z.optional(z.array(Span)),
  /** IANA time zone of these hours, a setting of the user; null is UTC. */
  time_zone: z.nullable(z.string()),
  /** Alerts held back until the quiet hours end. */
  waiting: z.int(),
})
export type QuietHours = z.infer<typeof QuietHours>

export const quietHours = {
  read: {
    method: 'GET',
    path: '/users/quiet_hours/',
    summary: 'Returns the hours in which the user gets no alerts, unless they are urgent',
    access: rights.ownProfile,
    response: { 200: QuietHours },
    safety: 'read',
    provenance: 'ours',
  },
  change: {
    method: 'PUT',
    path: '/users/quiet_hours/',
    summary:
      'Sets the quiet hours: `spans`, or `quiet` for one daily period; an empty list or null ends them. What waits comes as one e-mail when they end',
    access: rights.ownProfile,
    body: z
      .object({
        quiet: z.optional(
          z.nullable(Quiet.check(z.refine(({ from, to }) => from !== to, { error: 'must not end when they begin', path: ['to'] }))),
        ),
        /** Overlapping and touching spans count as one. */
        spans: z.optional(
          z
            .array(Span)
            .check(
              z.maxLength(MAX_SPANS),
              z.refine(leavesTime, { error: 'must leave a time in which alerts come', when: ({ issues }) => issues.length === 0 }),
            ),
        ),
      })
      .check(
        z.refine(({ quiet, spans }) => (quiet === undefined) !== (spans === undefined), {
          error: 'must be sent, or else spans, but not both',
          path: ['quiet'],
        }),
      ),
    response: { 200: QuietHours },
    safety: 'reversible',
    provenance: 'ours',
  },
} as const satisfies Contract
