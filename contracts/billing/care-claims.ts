import * as z from 'zod/mini'
import { CurrencyCode, Id, IdParams, Instant, listed, MinorUnits } from '#contracts/lib/common.ts'
import { rights } from '#contracts/lib/rights.ts'
import type { Contract } from '#contracts/lib/route.ts'
import { TEXT_LENGTH } from '#contracts/limits/text-lengths.ts'
import { TAX_BEHAVIORS } from '#contracts/rules/price.ts'
import { Paragraphs, Verbatim } from '#contracts/rules/reading/text-fields.ts'

/** Discount of a care plan on one device replacement. */
export const REPLACEMENT_DISCOUNT_PERCENT = 50

/** The option name that marks a price as the care plan. */
export const CARE_PLAN = 'care'

export const CARE_REASONS = ['broken', 'battery', 'lost', 'stolen'] as const
export type CareReason = (typeof CARE_REASONS)[number]

/** `ordered` once the replacement has been paid for. */
export const CARE_STATUSES = ['open', 'ordered', 'withdrawn'] as const
export type CareStatus = (typeof CARE_STATUSES)[number]

export const CareClaim = z.object({
  id: Id,
  device: Id,
  reason: listed(CARE_REASONS),
  description: z.string(),
  /** Name and address for the parcel, in lines; null in claims made before claims had an address. */
  delivery: z.nullable(z.string()),
  status: listed(CARE_STATUSES),
  created_at: Instant,
  closed_at: z.nullable(Instant),
  /** Reference of the replacement's order. */
  order: z.nullable(z.string()),
})
export type CareClaim = z.infer<typeof CareClaim>

/** A claim with everything that support needs to ship the replacement. */
const ListedCareClaim = z.extend(CareClaim, {
  tracker: z.string(),
  /** E-mail of the account's owner; null if the account has no owner any more. */
  owner: z.nullable(z.string()),
})
export type ListedCareClaim = z.infer<typeof ListedCareClaim>

/** The care plan of a tracker: its newest claim, and the price of a replacement before and after the discount. */
export const CareCover = z.object({
  has_plan: z.boolean(),
  replacement: z.nullable(
    z.object({ full_amount: MinorUnits, unit_amount: MinorUnits, currency: CurrencyCode, tax_behavior: listed(TAX_BEHAVIORS) }),
  ),
  claim: z.nullable(CareClaim),
})
export type CareCover = z.infer<typeof CareCover>

export const DELIVERY_MAX_LENGTH = 300

export const NewCareClaim = z.object({
  reason: z.enum(CARE_REASONS),
  description: Paragraphs(1, TEXT_LENGTH.description),
  delivery: Paragraphs(1, DELIVERY_MAX_LENGTH),
})

const SitePath = Verbatim(1, 500)

export const careClaims = {
  list: {
    method: 'GET',
    path: '/users/care_claims/',
    summary: 'Lists the claims of the account, for support those of all accounts; paid ones first, then open ones, the newest first',
    access: rights.readOrders,
    query: z.object({ status: z.optional(z.enum(CARE_STATUSES)) }),
    response: { 200: z.array(ListedCareClaim) },
    safety: 'read',
    provenance: 'ours',
  },
  read: {
    method: 'GET',
    path: '/devices/:id/care_claim/',
    summary: 'Reads whether a tracker has a care plan, what a replacement costs, and the newest claim',
    access: rights.readOrders,
    params: IdParams,
    response: { 200: CareCover },
    safety: 'read',
    provenance: 'ours',
  },
  open: {
    method: 'POST',
    path: '/devices/:id/care_claim/',
    summary: 'Opens a claim of a care plan; each plan pays for one replacement',
    access: rights.buy,
    params: IdParams,
    body: NewCareClaim,
    response: { 201: CareClaim },
    errors: ['no_care_plan', 'claim_open', 'care_plan_used', 'unknown_price'],
    safety: 'reversible',
    provenance: 'ours',
  },
  pay: {
    method: 'POST',
    path: '/devices/:id/care_claim/payment_session/',
    summary: "Opens a session of the card provider's checkout for the replacement of the open claim",
    access: rights.buy,
    params: IdParams,
    body: z.object({ success_path: SitePath, cancel_path: SitePath }),
    response: { 200: z.object({ public_key: z.string(), id: z.string(), url: z.optional(z.url()) }) },
    errors: ['no_claim', 'no_care_plan', 'unknown_price'],
    safety: 'destructive',
    provenance: 'ours',
  },
  withdraw: {
    method: 'DELETE',
    path: '/devices/:id/care_claim/',
    summary: 'Withdraws the open claim and ends its checkout',
    access: rights.buy,
    params: IdParams,
    response: { 200: CareClaim },
    errors: ['no_claim'],
    safety: 'reversible',
    provenance: 'ours',
  },
} as const satisfies Contract
