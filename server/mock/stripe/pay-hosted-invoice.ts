import type Stripe from 'stripe'
import { type CardFault, findCard, type TestCard } from './cards.ts'
import { refuse, settleOpen } from './collect.ts'
import { type Expiry, hasExpired } from './payment-method.ts'
import type { Provider } from './provider.ts'

/** `closed`: the invoice does not exist or cannot be paid any more. */
export type HostedPayment = { outcome: 'paid' | 'asked' | 'closed' } | { outcome: 'refused'; fault: CardFault }

/** Finds a finalized invoice; drafts have no page. */
export function sentInvoice({ invoices }: Provider, id: string): Stripe.Invoice | undefined {
  const invoice = invoices.get(id)
  return invoice?.status === 'draft' ? undefined : invoice
}

/** An uncollectible invoice can still be paid. */
export const isPayable = ({ status }: Stripe.Invoice) => status === 'open' || status === 'uncollectible'

/** Pays an invoice with a card typed into its page. The card is not saved: the subscription keeps renewing with its own. */
export function payHosted(provider: Provider, id: string, number: string, expiry: Expiry): HostedPayment {
  const invoice = payable(provider, id)
  if (!invoice) return { outcome: 'closed' }
  const card = findCard(number)
  if (!card) return { outcome: 'refused', fault: 'unknown_card' }
  if (hasExpired(provider, expiry)) return { outcome: 'refused', fault: 'expired_card' }
  if (card.asks === 'never') return charge(provider, invoice, card)
  provider.challenges.set(id, { card, expiry })
  return { outcome: 'asked' }
}

/** Completes a pending confirmation; charges the card when the cardholder agrees. */
export function answerHosted(provider: Provider, id: string, isOwner: boolean): HostedPayment {
  const invoice = payable(provider, id)
  const asked = provider.challenges.get(id)
  provider.challenges.delete(id)
  if (!invoice || !asked) return { outcome: 'closed' }
  return isOwner ? charge(provider, invoice, asked.card) : { outcome: 'refused', fault: 'authentication_failed' }
}

function payable(provider: Provider, id: string) {
  const invoice = sentInvoice(provider, id)
  return invoice && isPayable(invoice) ? invoice : undefined
}

function charge(provider: Provider, invoice: Stripe.Invoice, { fault }: TestCard): HostedPayment {
  if (!fault) {
    settleOpen(provider, invoice)
    return { outcome: 'paid' }
  }
  refuse(provider, invoice, fault, { isAutomatic: false })
  return { outcome: 'refused', fault }
}
