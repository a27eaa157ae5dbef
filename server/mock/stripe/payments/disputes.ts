import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { endpoint, missingObject } from '#server/mock/stripe/api/endpoint.ts'
import { recordEvent } from '#server/mock/stripe/api/events.ts'
import { Created, isCreatedWithin, Pagination, paginate } from '#server/mock/stripe/api/lists.ts'
import { NoInput } from '#server/mock/stripe/api/parameters.ts'
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

export const disputeEndpoints = [
  endpoint('GET', DISPUTES_PATH, DisputeQuery, ({ disputes }, { charge, payment_intent, created, ...paging }) => {
    const found = [...disputes.values()].filter(
      (one) =>
        (!charge || one.charge === charge) && (!payment_intent || one.payment_intent === payment_intent) && isCreatedWithin(one, created),
    )
    return paginate(found, paging, DISPUTES_PATH)
  }),
  endpoint('GET', `${DISPUTES_PATH}/:id`, NoInput, ({ disputes }, _, id) => {
    const dispute = disputes.get(id)
    if (!dispute) throw missingObject('dispute', id)
    return dispute
  }),
]

/** The card holder disputes a charge at the bank, which takes the money back until it has decided. */
export function openDispute(provider: Provider, charge: Stripe.Charge): Stripe.Dispute {
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
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: { type: 'card', card: { brand: 'visa', case_type: 'chargeback', network_reason_code: '10.4' } },
    reason: 'fraudulent',
    status: 'needs_response',
  } as unknown as Stripe.Dispute
  provider.disputes.set(dispute.id, dispute)
  provider.charges.set(charge.id, { ...charge, disputed: true })
  recordEvent(provider, 'charge.dispute.created', dispute)
  recordEvent(provider, 'charge.dispute.funds_withdrawn', dispute)
  return dispute
}

/** The bank decides. */
export function closeDispute(provider: Provider, dispute: Stripe.Dispute, status: 'won' | 'lost'): Stripe.Dispute {
  const closed: Stripe.Dispute = { ...dispute, status }
  provider.disputes.set(dispute.id, closed)
  recordEvent(provider, 'charge.dispute.closed', closed, dispute)
  if (status === 'won') recordEvent(provider, 'charge.dispute.funds_reinstated', closed)
  return closed
}
