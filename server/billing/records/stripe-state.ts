import type Stripe from 'stripe'

/** State of a customer at Stripe, oldest first. */
export type CustomerState = {
  /** Null when Stripe does not know it or has deleted it. */
  customer: Stripe.Customer | null
  sessions: Stripe.Checkout.Session[]
  subscriptions: Stripe.Subscription[]
  invoices: Stripe.Invoice[]
  charges: Stripe.Charge[]
  disputes: Stripe.Dispute[]
  refunds: Stripe.Refund[]
}

/** A session or subscription that could be granted only in part, and the reason. */
export type PartlyGranted = { id: string; reason: 'tracker' | 'claim' }
