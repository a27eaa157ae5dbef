import * as z from 'zod/mini'
import { Instant } from '#contracts/lib/common.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { choice } from './choices.ts'

export const ClockState = z.object({ now: Instant, mode: z.enum(['frozen', 'flow']), rate: z.number() })

export const ClockSetting = z.strictObject({
  at: z.optional(Instant),
  mode: z.optional(z.enum(['frozen', 'flow'])),
  rate: z.optional(z.number().check(z.positive(), z.maximum(10_000))),
})

/** An ISO 8601 duration in days, hours, minutes and seconds. */
export const Duration = z.string().check(
  z.regex(/^P(?=\d|T\d)(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?$/, {
    error: 'A duration such as P3D or PT5M, without weeks, months and years',
  }),
)

/** Kinds of events the clock can be moved to; `fired`, the event stream and the jobs have the same names. */
export const CLOCK_EVENTS = [
  'position',
  'mode_applied',
  'renewal',
  'subscription_reminder',
  'subscription_end',
  'link_end',
  'boost_end',
  'quiet_end',
  'rule_due',
  'network_silence',
] as const
export type ClockEvent = (typeof CLOCK_EVENTS)[number]

/** Former names of events, which are accepted as before. */
export const FORMER_EVENTS = { link_expiry: 'link_end', sub_end: 'subscription_end' } as const satisfies Record<string, ClockEvent>
const FORMER_NAMES = ['link_expiry', 'sub_end'] as const satisfies (keyof typeof FORMER_EVENTS)[]

/** Returns the current name of an event. */
export const currentEventName = (name: string): string => (name in FORMER_EVENTS ? FORMER_EVENTS[name as keyof typeof FORMER_EVENTS] : name)

/**
 * A job that ran, a renewal, an alert that fired or a mail that was written; `ref` names its subject, such as `devices/7`. A mail has the kind
 * `mail`, its recipient and its template.
 */
export const Fired = z.object({
  at: Instant,
  kind: z.string(),
  ref: z.string(),
  to: z.optional(z.string()),
  template: z.optional(z.string()),
})

export const Leap = z.object({ from: Instant, to: Instant, positions: z.int(), fired: z.array(Fired) })

const setting = {
  path: '/mock/clock',
  summary: 'Sets, freezes or speeds up the clock of the world',
  access: 'public',
  body: ClockSetting,
  response: { 200: ClockState },
  safety: 'reversible',
  provenance: 'assumed',
} as const

/** The clock of the request's world. */
export const clock = {
  read: {
    method: 'GET',
    path: '/mock/clock',
    summary: 'Returns the time of the world',
    access: 'public',
    response: { 200: ClockState },
    safety: 'read',
    provenance: 'assumed',
  },
  set: { method: 'POST', ...setting },
  put: { method: 'PUT', ...setting },
  advance: {
    method: 'POST',
    path: '/mock/clock/advance',
    summary: 'Moves the clock forward by an ISO 8601 duration such as `PT5M` or `P3D`, and runs the jobs that fall due in order of time',
    access: 'public',
    body: z.strictObject({ by: Duration }),
    response: { 200: Leap },
    safety: 'reversible',
    provenance: 'assumed',
  },
  until: {
    method: 'POST',
    path: '/mock/clock/until',
    summary: 'Moves the clock to the next event of a kind, and runs the jobs due up to then in order of time',
    access: 'public',
    body: z.strictObject({ event: choice([...CLOCK_EVENTS, ...FORMER_NAMES]) }),
    response: { 200: Leap },
    safety: 'reversible',
    provenance: 'assumed',
  },
} as const satisfies Contract

/** Scheduled jobs of the world. */
export const jobs = {
  list: {
    method: 'GET',
    path: '/mock/jobs',
    summary: 'Lists the jobs of the world: how many items are due now, and when the next one falls due',
    access: 'public',
    response: { 200: z.array(z.object({ name: z.string(), due: z.int(), next: z.nullable(Instant) })) },
    safety: 'read',
    provenance: 'assumed',
  },
  run: {
    method: 'POST',
    path: '/mock/jobs/:name/run',
    summary: 'Runs the items of one job that are due at the time of the world',
    access: 'public',
    params: z.object({ name: z.string() }),
    response: { 200: z.object({ fired: z.array(Fired) }) },
    safety: 'destructive',
    provenance: 'assumed',
  },
} as const satisfies Contract
