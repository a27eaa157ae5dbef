import type { PaymentMethod } from '#contracts/billing/payment-methods.ts'

/** Brand names in the brands' own spelling. */
const BRANDS: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
}

export const cardName = ({ brand, last4 }: PaymentMethod) => `${BRANDS[brand] ?? brand} •••• ${last4}`

/** In the format printed on cards, MM/YYYY; 0 stands for an unknown month or year. */
export const cardExpiry = ({ exp_month, exp_year }: PaymentMethod) =>
  exp_month && exp_year ? `${String(exp_month).padStart(2, '0')}/${exp_year}` : '–'

/** A card is valid until the last day of its month. */
export const isCardExpired = ({ exp_month, exp_year }: PaymentMethod, now: Date) =>
  exp_year > 0 && exp_month > 0 && exp_year * 12 + exp_month < now.getUTCFullYear() * 12 + now.getUTCMonth() + 1

/** "Visa •••• 0341 · valid until 01/2028"; `state` is the word for its end. */
export const describeCard = (card: PaymentMethod, until: (date: string) => string) => `${cardName(card)} · ${until(cardExpiry(card))}`
