import * as z from 'zod/mini'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'

const ClockTime = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/))

const Quiet = z.object({ from: ClockTime, to: ClockTime })

export const QuietHours = z.object({
  /** Null without quiet hours; the period may span midnight. */
  quiet: z.nullable(Quiet),
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
    summary: 'Sets the quiet hours or, with null, ends them; what waits comes as one e-mail when they end',
    access: rights.ownProfile,
    body: z.object({
      quiet: z.nullable(Quiet.check(z.refine(({ from, to }) => from !== to, { error: 'must not end when they begin', path: ['to'] }))),
    }),
    response: { 200: QuietHours },
    safety: 'reversible',
    provenance: 'ours',
  },
} as const satisfies Contract
