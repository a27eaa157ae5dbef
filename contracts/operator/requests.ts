import * as z from 'zod/mini'
import { Id, Instant, listed } from '#contracts/lib/common.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { staffRights } from '#contracts/lib/staff-rights.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { Paragraphs } from '#contracts/rules/reading/text-fields.ts'
import { UNLINK_REASONS } from '#contracts/trackers/conflicts.ts'
import { type Sort, SortOf } from './sorting.ts'

export const REQUEST_STATUSES = ['pending', 'accepted', 'refused', 'withdrawn'] as const
export type RequestStatus = (typeof REQUEST_STATUSES)[number]

/** `tracker`: the owner asks for a tracker that another account has; `plan_move`, `plan_pause`: to move a plan to another tracker of the account, or to pause it. */
export const REQUEST_KINDS = ['tracker', 'plan_move', 'plan_pause'] as const
export type RequestKind = (typeof REQUEST_KINDS)[number]

export const REQUEST_SORTS = ['date'] as const
export type RequestSort = Sort<(typeof REQUEST_SORTS)[number]>

/** A tracker of a plan to be moved or paused. */
const MovedTracker = z.object({ id: Id, name: z.string(), identifier: z.nullable(z.string()) })

/** What an owner asks support for. */
export const OwnerRequest = z.object({
  /** Such as `UR-000123`. */
  reference: z.string(),
  kind: listed(REQUEST_KINDS),
  status: listed(REQUEST_STATUSES),
  created_at: Instant,
  /** The tracker that is asked for, or that has the plan; empty without a number. */
  identifier: z.string(),
  /** Whether the identifier is in stock; then only a manufactured tracker can be meant. */
  in_stock: z.boolean(),
  /** Who asks. */
  requester: z.nullable(z.object({ account: Id, email: z.string(), name: z.string() })),
  /** Where the requester wants the answer. */
  email: z.string(),
  reason: listed(UNLINK_REASONS),
  message: z.nullable(z.string()),
  purchase_date: z.nullable(z.string()),
  purchase_place: z.nullable(z.string()),
  order_reference: z.nullable(z.string()),
  /** Who has the tracker now, and what speaks for them. Null when nobody has it any more. */
  holder: z.nullable(
    z.object({
      account: Id,
      email: z.string(),
      since: Instant,
      proven: z.boolean(),
      sub_state: z.string(),
      last_message_at: z.nullable(Instant),
      reported_missing: z.boolean(),
    }),
  ),
  /** Only for a plan; null for a tracker that is no longer on the account. `own_moves`: without support, within a year. */
  move: z.nullable(z.object({ from: z.nullable(MovedTracker), to: z.nullable(MovedTracker), own_moves: z.int() })),
  /** Only for a plan to be paused. `own_pauses`: of this plan without support, within a year. */
  pause: z.nullable(z.object({ tracker: z.nullable(MovedTracker), until: Instant, own_pauses: z.int() })),
  decided_at: z.nullable(Instant),
  decided_by: z.nullable(z.string()),
  refusal: z.nullable(z.string()),
})
export type OwnerRequest = z.infer<typeof OwnerRequest>

const Reference = z.object({ reference: z.string().check(z.regex(/^UR-\d{6,15}$/)) })

export const ownerRequests = {
  list: {
    method: 'GET',
    path: '/operator/api/requests/',
    summary:
      'A page of the requests of owners, the oldest first or by `sort`; `search` is a number, who asks or a tracker, and `next` the `after` of the next page',
    access: { staff: staffRights.readCustomers },
    query: z.object({
      status: z.optional(z.enum(REQUEST_STATUSES)),
      search: z.optional(z.string().check(z.maxLength(200))),
      sort: SortOf(REQUEST_SORTS),
      after: z.optional(z.string().check(z.regex(/^\d{1,15}$/))),
    }),
    response: { 200: z.object({ requests: z.array(OwnerRequest), next: z.nullable(z.string()) }) },
    safety: 'read',
    provenance: 'ours',
  },
  accept: {
    method: 'POST',
    path: '/operator/api/requests/:reference/accept/',
    summary:
      'Takes the tracker from the account that has it, and keeps it for the requester for a week, and mails both; or moves or pauses the plan, and mails the owner',
    access: { staff: staffRights.helpCustomers },
    params: Reference,
    response: { 200: OwnerRequest },
    errors: [
      'already_decided',
      'reported_missing',
      'subscription_required',
      'already_active',
      'device_linked_to_pro',
      'no_change',
      'not_pausable',
      'plan_paused',
    ],
    safety: 'destructive',
    provenance: 'ours',
  },
  refuse: {
    method: 'POST',
    path: '/operator/api/requests/:reference/refuse/',
    summary: 'Refuses a request; the requester gets the reason by mail',
    access: { staff: staffRights.helpCustomers },
    params: Reference,
    body: z.object({ reason: Paragraphs(1, TEXT_LENGTH.message) }),
    response: { 200: OwnerRequest },
    errors: ['already_decided'],
    safety: 'destructive',
    provenance: 'ours',
  },
} as const satisfies Contract
