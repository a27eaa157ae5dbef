import type Stripe from 'stripe'
import { type CardFault, findTestCard, type TestCard } from './cards.ts'
import { recordFailedCharge, settleInvoice } from './collect.ts'
import { type Expiry, hasExpired } from './payment-method.ts'
import type { Provider } from './provider.ts'

/** `closed`: the invoice does not exist or cannot be paid any more. */
export type InvoicePayment = { outcome: 'paid' | 'asked' | 'closed' } | { outcome: 'refused'; fault: CardFault }

/** Finds a finalized invoice; drafts have no page. */
export function findFinalizedInvoice({ invoices }: Provider, id: string): Stripe.Invoice | undefined {
  const invoice = invoices.get(id)
  return invoice?.status === 'draft' ? undefined : invoice
}

/** An uncollectible invoice can still be paid. */
export const isPayable = ({ status }: Stripe.Invoice) => status === 'open' || status === 'uncollectible'

/** Pays an invoice with a card typed into its page. The card is not saved: the subscription keeps renewing with its own. */
export function payInvoice(provider: Provider, id: string, number: string, expiry: Expiry): InvoicePayment {
  const invoice = findPayableInvoice(provider, id)
  if (!invoice) return { outcome: 'closed' }
  const card = findTestCard(number)
  if (!card) return { outcome: 'refused', fault: 'unknown_card' }
  if (hasExpired(provider, expiry)) return { outcome: 'refused', fault: 'expired_card' }
  if (card.asks === 'never') return chargeInvoice(provider, invoice, card)
  provider.challenges.set(id, { card, expiry })
  return { outcome: 'asked' }
}

/** Completes a pending confirmation; charges the card when the cardholder agrees. */
export function confirmInvoicePayment(provider: Provider, id: string, isOwner: boolean): InvoicePayment {
  const invoice = findPayableInvoice(provider, id)
  const asked = provider.challenges.get(id)
  provider.challenges.delete(id)
  if (!invoice || !asked) return { outcome: 'closed' }
  return isOwner ? chargeInvoice(provider, invoice, asked.card) : { outcome: 'refused', fault: 'authentication_failed' }
}

function findPayableInvoice(provider: Provider, id: string) {
  const invoice = findFinalizedInvoice(provider, id)
  return invoice && isPayable(invoice) ? invoice : undefined
}

function chargeInvoice(provider: Provider, invoice: Stripe.Invoice, { fault }: TestCard): InvoicePayment {
  if (!fault) {
    settleInvoice(provider, invoice)
    return { outcome: 'paid' }
  }
  recordFailedCharge(provider, invoice, fault, { isAutomatic: false })
  return { outcome: 'refused', fault }
}
