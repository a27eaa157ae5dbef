import * as z from 'zod/mini'
import { Id, Instant } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { Paragraphs } from '#contracts/rules/reading/text-fields.ts'

/** The trackers that a plan moves between. */
export const PlanMove = z.object({ from: Id, to: Id })
export type PlanMove = z.infer<typeof PlanMove>

/** The number of a request to support. */
const RequestReference = z.object({ reference: z.string().check(z.regex(/^UR-\d{6,15}$/)) })

/** The call that withdraws a request about a plan, but for its path. */
export const REQUEST_WITHDRAWAL = {
  method: 'DELETE',
  summary: 'Withdraws a request that support has not decided yet; 409 `already_decided` otherwise',
  access: rights.buy,
  params: RequestReference,
  response: { 200: RequestReference },
  errors: ['already_decided', 'not_found'],
  safety: 'destructive',
  provenance: 'ours',
} as const

const MoveRequest = z.object({ reference: z.string(), from: Id, to: Id, created_at: Instant })

/** What the owner may do without support, and what support still has to decide. */
export const PlanMoves = z.object({
  can_move: z.boolean(),
  /** From when the next plan can be moved without support; null if that is possible now, or never. */
  next_at: z.nullable(Instant),
  /** Moves without support within a year, and the days between two of them. */
  per_year: z.int(),
  days_between: z.int(),
  /** Open requests. */
  requests: z.array(MoveRequest),
})
export type PlanMoves = z.infer<typeof PlanMoves>

const MOVE_ERRORS = ['plan_paused', 'subscription_required', 'already_active', 'device_linked_to_pro', 'no_change', 'not_found'] as const

export const planMoves = {
  read: {
    method: 'GET',
    path: '/users/plan_moves/',
    summary: 'Whether the account can move a plan to another tracker without support, and its open requests for that',
    access: rights.buy,
    response: { 200: PlanMoves },
    safety: 'read',
    provenance: 'ours',
  },
  move: {
    method: 'POST',
    path: '/users/plan_moves/',
    summary:
      'Moves the running plan of a tracker with its options and its renewal to another tracker of the account; 409 `move_limit` when support has to decide, `subscription_required` when there is no running plan, `already_active` when the other tracker has one, `plan_paused` while it is paused',
    access: rights.buy,
    body: PlanMove,
    response: { 200: z.object({ tracker: Id, sub_end_date: z.nullable(Instant) }) },
    errors: ['move_limit', ...MOVE_ERRORS],
    safety: 'destructive',
    provenance: 'ours',
  },
  ask: {
    method: 'POST',
    path: '/users/plan_moves/requests/',
    summary:
      'Asks support to move a plan to another tracker of the account; 409 `request_pending` when support has not decided about this plan yet',
    access: rights.buy,
    body: z.extend(PlanMove, { message: Paragraphs(1, TEXT_LENGTH.message) }),
    response: { 201: MoveRequest },
    errors: ['request_pending', ...MOVE_ERRORS],
    safety: 'destructive',
    provenance: 'ours',
  },
  withdraw: { ...REQUEST_WITHDRAWAL, path: '/users/plan_moves/requests/:reference/' },
} as const satisfies Contract
