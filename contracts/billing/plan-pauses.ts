import * as z from 'zod/mini'
import { Id, Instant, Whole } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { Paragraphs } from '#contracts/rules/reading/text-fields.ts'
import { REQUEST_WITHDRAWAL } from './plan-moves.ts'

/** A tracker whose plan is paused, and the day on which it goes on by itself. */
export const PlanPause = z.object({ tracker: Id, until: Instant })
export type PlanPause = z.infer<typeof PlanPause>

const PauseRequest = z.object({ reference: z.string(), tracker: Id, until: Instant, created_at: Instant })

/** The result for each tracker that is paused or goes on together: those of one renewal. */
export const PausedPlans = z.array(z.object({ tracker: Id, sub_end_date: z.nullable(Instant) }))

/** Whether the owner may pause a plan without support, and what support still has to decide. */
export const PlanPauses = z.object({
  /** Pauses of one plan without support within a year, and the most days of one. */
  per_year: z.int(),
  max_days: z.int(),
  can_pause: z.boolean(),
  /** From when it can be paused without support; null if that is possible now, or never. */
  next_at: z.nullable(Instant),
  /** The other trackers that the same payment renews: they are paused together. */
  together: z.array(Id),
  /** The open request. */
  request: z.nullable(PauseRequest),
})
export type PlanPauses = z.infer<typeof PlanPauses>

/** The most days for which support pauses a plan. */
export const MAX_PAUSE_DAYS = 365

const WHY =
  '409 `subscription_required` when there is no running plan, `not_pausable` for a plan without an end, a renewal that is due within an hour or whose payment has failed, `reported_missing` for a lost or stolen tracker; 400 `no_change` when it is paused'
const PAUSE_ERRORS = [
  'subscription_required',
  'no_change',
  'not_pausable',
  'reported_missing',
  'device_linked_to_pro',
  'not_found',
] as const

export const planPauses = {
  read: {
    method: 'GET',
    path: '/users/plan_pauses/:tracker/',
    summary: 'Whether the account can pause the plan of a tracker without support, and its open request for that',
    access: rights.buy,
    params: z.object({ tracker: Whole }),
    response: { 200: PlanPauses },
    errors: ['not_found'],
    safety: 'read',
    provenance: 'ours',
  },
  pause: {
    method: 'POST',
    path: '/users/plan_pauses/',
    summary: `Pauses the plan of a tracker until a day: the tracker rests, no renewal is charged, and the end moves by the paused time; 409 \`pause_limit\` when support has to decide. ${WHY}`,
    access: rights.buy,
    body: PlanPause,
    response: { 200: PausedPlans },
    errors: ['pause_limit', ...PAUSE_ERRORS],
    safety: 'destructive',
    provenance: 'ours',
  },
  resume: {
    method: 'POST',
    path: '/users/plan_pauses/resume/',
    summary:
      'Ends the pause of a plan at once, and moves its end and its renewal to the earlier day; 400 `no_change` when it is not paused',
    access: rights.buy,
    body: z.object({ tracker: Id }),
    response: { 200: PausedPlans },
    errors: ['no_change', 'not_found'],
    safety: 'destructive',
    provenance: 'ours',
  },
  ask: {
    method: 'POST',
    path: '/users/plan_pauses/requests/',
    summary: `Asks support to pause the plan of a tracker; 409 \`request_pending\` when support has not decided about this plan yet. ${WHY}`,
    access: rights.buy,
    body: z.extend(PlanPause, { message: Paragraphs(1, TEXT_LENGTH.message) }),
    response: { 201: PauseRequest },
    errors: ['request_pending', ...PAUSE_ERRORS],
    safety: 'destructive',
    provenance: 'ours',
  },
  withdraw: { ...REQUEST_WITHDRAWAL, path: '/users/plan_pauses/requests/:reference/' },
} as const satisfies Contract
