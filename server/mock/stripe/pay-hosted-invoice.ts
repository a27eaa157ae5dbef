import type Stripe from 'stripe'
import { type CardFault, findCard, type TestCard } from './cards.ts'
import { refuse, settleOpen } from './collect.ts'
import { type Expiry, hasExpired } from './payment-method.ts'
import type { Provider } from './provider.ts'

/** `closed`: there is nothing to pay, or no such invoice. */
export type HostedPayment = { outcome: 'paid' | 'asked' | 'closed' } | { outcome: 'refused'; fault: CardFault }

/** An invoice as its page shows it: once it was sent. */
export function sentInvoice({ invoices }: Provider, id: string): Stripe.Invoice | undefined {
  const invoice = invoices.get(id)
  return invoice?.status === 'draft' ? undefined : invoice
}

/** One that the shop gave up can still be paid. */
export const isPayable = ({ status }: Stripe.Invoice) => status === 'open' || status === 'uncollectible'

/** Pays an invoice on its page with a card that is typed there, which is not kept: what renews stays with its own. */
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

/** What the card's owner answers; with a yes it is charged. */
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
