import type Stripe from 'stripe'
import * as z from 'zod/mini'
import type { Dispute } from '#server/mock/stripe/api/cards.ts'
import { endpoint, missingObject, Problem } from '#server/mock/stripe/api/endpoint.ts'
import { recordEvent } from '#server/mock/stripe/api/events.ts'
import { Created, isCreatedWithin, Pagination, paginate } from '#server/mock/stripe/api/lists.ts'
import { Bool, Metadata, mergeMetadata, NoInput, Text } from '#server/mock/stripe/api/parameters.ts'
import { createId, nowInSeconds, type Provider } from '#server/mock/stripe/api/provider.ts'

const DISPUTES_PATH = '/v1/disputes'
const DAY_S = 86_400
const EVIDENCE_DAYS = 14

const DisputeQuery = z.strictObject({
  ...Pagination,
  created: Created,
  charge: z.optional(z.string()),
  payment_intent: z.optional(z.string()),
})
const DisputeChange = z.strictObject({
  evidence: z.optional(z.strictObject({ uncategorized_text: z.optional(Text) })),
  metadata: z.optional(Metadata),
  submit: z.optional(Bool),
})

/** Stripe's test texts of evidence that make the bank decide at once. */
const DECISIONS: Record<string, 'won' | 'lost'> = { winning_evidence: 'won', losing_evidence: 'lost' }

export const disputeEndpoints = [
  endpoint('GET', DISPUTES_PATH, DisputeQuery, ({ disputes }, { charge, payment_intent, created, ...paging }) => {
    const found = [...disputes.values()].filter(
      (one) =>
        (!charge || one.charge === charge) && (!payment_intent || one.payment_intent === payment_intent) && isCreatedWithin(one, created),
    )
    return paginate(found, paging, DISPUTES_PATH)
  }),
  endpoint('GET', `${DISPUTES_PATH}/:id`, NoInput, (provider, _, id) => getDispute(provider, id)),
  endpoint('POST', `${DISPUTES_PATH}/:id`, DisputeChange, (provider, { evidence, metadata, submit }, id) => {
    const dispute = expectOpen(getDispute(provider, id))
    // New evidence is submitted unless the request disables it; staged evidence only if the request enables it.
    const given = evidence?.uncategorized_text
    const text = given === undefined && submit ? dispute.evidence.uncategorized_text : given
    const isSubmitted = submit !== false && typeof text === 'string'
    const changed: Stripe.Dispute = {
      ...dispute,
      evidence: { ...dispute.evidence, ...evidence },
      evidence_details: {
        ...dispute.evidence_details,
        has_evidence: dispute.evidence_details.has_evidence || typeof text === 'string',
        submission_count: dispute.evidence_details.submission_count + Number(isSubmitted),
      },
      metadata: mergeMetadata(dispute.metadata, metadata),
      ...(isSubmitted && { status: isInquiry(dispute) ? 'warning_under_review' : 'under_review' }),
    }
    provider.disputes.set(id, changed)
    recordEvent(provider, 'charge.dispute.updated', changed, dispute)
    const decision = isSubmitted ? DECISIONS[text] : undefined
    return decision ? closeDispute(provider, changed, decision) : changed
  }),
  endpoint('POST', `${DISPUTES_PATH}/:id/close`, NoInput, (provider, _, id) =>
    closeDispute(provider, expectOpen(getDispute(provider, id)), 'lost'),
  ),
]

function getDispute({ disputes }: Provider, id: string) {
  const dispute = disputes.get(id)
  if (!dispute) throw missingObject('dispute', id)
  return dispute
}

const CLOSED: readonly string[] = ['won', 'lost', 'warning_closed']

function expectOpen(dispute: Stripe.Dispute) {
  if (CLOSED.includes(dispute.status)) throw new Problem('This dispute is already closed.')
  return dispute
}

const isInquiry = ({ status }: Stripe.Dispute) => status.startsWith('warning')

/** The card holder disputes a charge at the bank, which takes the money back until it has decided; an inquiry takes none. */
export function openDispute(
  provider: Provider,
  charge: Stripe.Charge,
  { reason, isInquiry: isWarning = false }: Dispute = { reason: 'fraudulent' },
): Stripe.Dispute {
  const now = nowInSeconds(provider)
  const dispute = {
    id: createId(provider, 'du'),
    object: 'dispute',
    amount: charge.amount_captured,
    balance_transactions: [],
    charge: charge.id,
    created: now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {},
    evidence_details: {
      due_by: now + EVIDENCE_DAYS * DAY_S,
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      enhanced_eligibility: {},
    },
    is_charge_refundable: isWarning,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      type: 'card',
      card: { brand: 'visa', case_type: isWarning ? 'inquiry' : 'chargeback', network_reason_code: '10.4' },
    },
    reason,
    status: isWarning ? 'warning_needs_response' : 'needs_response',
  } as unknown as Stripe.Dispute
  provider.disputes.set(dispute.id, dispute)
  provider.charges.set(charge.id, { ...charge, disputed: true })
  recordEvent(provider, 'charge.dispute.created', dispute)
  if (!isWarning) recordEvent(provider, 'charge.dispute.funds_withdrawn', dispute)
  return dispute
}

/** The bank decides; an inquiry is closed without a winner. */
export function closeDispute(provider: Provider, dispute: Stripe.Dispute, status: 'won' | 'lost'): Stripe.Dispute {
  const closed: Stripe.Dispute = { ...dispute, status: isInquiry(dispute) ? 'warning_closed' : status }
  provider.disputes.set(dispute.id, closed)
  recordEvent(provider, 'charge.dispute.closed', closed, dispute)
  if (closed.status === 'won') recordEvent(provider, 'charge.dispute.funds_reinstated', closed)
  return closed
}
