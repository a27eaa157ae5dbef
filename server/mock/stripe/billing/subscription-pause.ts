import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { Problem } from '#server/mock/stripe/api/endpoint.ts'
import { Int } from '#server/mock/stripe/api/parameters.ts'
import { nowInSeconds, type Provider } from '#server/mock/stripe/api/provider.ts'
import { finalizeInvoice, markUncollectible, voidInvoice } from './invoice-payments.ts'
import { updateSubscription } from './subscription.ts'
import { draftInvoice, productName } from './subscription-invoices.ts'

/** An empty text resumes the collection. */
export const PauseCollection = z.union([
  z.literal(''),
  z.strictObject({ behavior: z.enum(['keep_as_draft', 'mark_uncollectible', 'void']), resumes_at: z.optional(Int) }),
])

const requireFuture = (provider: Provider, at: number | undefined, param: string) => {
  if (at !== undefined && at <= nowInSeconds(provider))
    throw new Problem('Invalid timestamp: must be an integer Unix timestamp in the future.', { param })
}

export function buildPause(provider: Provider, pause: z.output<typeof PauseCollection>): Stripe.Subscription.PauseCollection | null {
  if (pause === '') return null
  requireFuture(provider, pause.resumes_at, 'pause_collection[resumes_at]')
  return { behavior: pause.behavior, resumes_at: pause.resumes_at ?? null }
}

/** Moves the next charge: a trial until then follows the period that is paid, and later periods count from its end. */
export function buildTrial(provider: Provider, { items }: Stripe.Subscription, end: number) {
  requireFuture(provider, end, 'trial_end')
  const start = nowInSeconds(provider)
  const data = items.data.map((item) => ({ ...item, current_period_start: start, current_period_end: end }))
  return { items: { ...items, data }, billing_cycle_anchor: end, status: 'trialing', trial_start: start, trial_end: end } as const
}

/** The start of a trial has an invoice of zero. */
export function billTrial(provider: Provider, subscription: Stripe.Subscription) {
  const at = nowInSeconds(provider)
  const lines = subscription.items.data.map((item) => ({ label: productName(provider, item), amount: 0, quantity: item.quantity, item }))
  finalizeInvoice(provider, draftInvoice(provider, subscription, { reason: 'subscription_update', at, lines }), at)
}

/** When a pause ends by itself; null without a date for it. */
export const findPauseEnd = ({ pause_collection }: Stripe.Subscription) => pause_collection?.resumes_at ?? null

export const endPause = (provider: Provider, subscription: Stripe.Subscription) =>
  updateSubscription(provider, subscription, { pause_collection: null })

/** What becomes of an invoice of a paused subscription. A kept draft is not finalized by itself any more. */
export function pauseInvoice(provider: Provider, draft: Stripe.Invoice, { behavior }: Stripe.Subscription.PauseCollection): Stripe.Invoice {
  const at = nowInSeconds(provider)
  const kept: Stripe.Invoice = { ...draft, automatically_finalizes_at: null, auto_advance: false }
  provider.invoices.set(kept.id, kept)
  if (behavior === 'keep_as_draft') return kept
  const open = finalizeInvoice(provider, kept, at)
  if (open.status === 'paid') return open
  return behavior === 'void' ? voidInvoice(provider, open) : markUncollectible(provider, open)
}
