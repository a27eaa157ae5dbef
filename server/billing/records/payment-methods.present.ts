import type { PaymentMethod } from '#contracts/billing/payment-methods.ts'
import type { CardRow } from './payment-methods.store.ts'

export const presentCard = (card: CardRow): PaymentMethod => ({
  id: card.id,
  type: 'card',
  brand: card.brand,
  last4: card.last4,
  exp_month: card.expMonth,
  exp_year: card.expYear,
  is_default: card.isDefault,
})
