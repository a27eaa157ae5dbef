import { Problem } from './endpoint.ts'
import type { Provider } from './provider.ts'

export type CardFault = 'declined' | 'insufficient_funds' | 'expired_card' | 'incorrect_cvc' | 'authentication_failed' | 'unknown_card'
/** Outcome of an off-session charge, where the cardholder cannot confirm. */
export type ChargeFault = CardFault | 'authentication_required'

/**
 * `asks` says when the bank wants confirmation; `until_set_up` stops once the card is set up for later payments. `fault` is the outcome of
 * a charge after that confirmation. `isAttachable`: the card can be saved for a customer.
 */
export type TestCard = {
  number: string
  fault: 'declined' | 'insufficient_funds' | 'expired_card' | 'incorrect_cvc' | null
  isAttachable: boolean
  asks: 'never' | 'until_set_up' | 'always'
  /** The card holder disputes each charge at once. */
  isDisputed?: boolean
}

/** Stripe's test cards. Every other number is refused. */
export const TEST_CARDS: readonly TestCard[] = [
  { number: '4242 4242 4242 4242', fault: null, isAttachable: true, asks: 'never' },
  { number: '4000 0025 0000 3155', fault: null, isAttachable: true, asks: 'until_set_up' },
  { number: '4000 0027 6000 3184', fault: null, isAttachable: true, asks: 'always' },
  { number: '4000 0084 0000 1629', fault: 'declined', isAttachable: false, asks: 'always' },
  { number: '4000 0000 0000 0002', fault: 'declined', isAttachable: false, asks: 'never' },
  { number: '4000 0000 0000 9995', fault: 'insufficient_funds', isAttachable: false, asks: 'never' },
  { number: '4000 0000 0000 0069', fault: 'expired_card', isAttachable: false, asks: 'never' },
  { number: '4000 0000 0000 0127', fault: 'incorrect_cvc', isAttachable: false, asks: 'never' },
  { number: '4000 0000 0000 0259', fault: null, isAttachable: true, asks: 'never', isDisputed: true },
  { number: '4000 0000 0000 0341', fault: 'declined', isAttachable: true, asks: 'never' },
]

const LAST_DIGITS = 4
export const lastFourDigits = ({ number }: TestCard) => number.slice(-LAST_DIGITS)

/** Never save or log the number: a visitor may type a real one. */
export const findTestCard = (number: string) => {
  const digits = number.replace(/[\s-]/g, '')
  return TEST_CARDS.find((one) => one.number.replaceAll(' ', '') === digits)
}

/** Saved cards have only their last four digits, which identify the test card. */
export const findTestCardByLast4 = (last4: string) => TEST_CARDS.find((card) => lastFourDigits(card) === last4)

/** Why the card cannot be saved for a customer; null when it can. */
export const attachFault = (card: TestCard): CardFault | null => (card.isAttachable ? null : (card.fault ?? 'declined'))

export type Expiry = { month: number; year: number }

/** Parses `12 / 34`, as printed on a card; null for anything else. */
export function parseExpiry(text: string): Expiry | null {
  const [, month, year] = /^\s*(0?[1-9]|1[0-2])\s*\/\s*(?:20)?(\d\d)\s*$/.exec(text) ?? []
  return month && year ? { month: Number(month), year: 2000 + Number(year) } : null
}

/** A card is valid until the end of its month. */
export function hasExpired({ clock }: Provider, { month, year }: Expiry) {
  return clock.now().getTime() >= Date.UTC(year, month)
}

const CHARGE_MESSAGES: Partial<Record<ChargeFault, string>> = {
  expired_card: 'Your card has expired.',
  incorrect_cvc: "Your card's security code is incorrect.",
  insufficient_funds: 'Your card has insufficient funds.',
  authentication_required: 'Your card was declined. This transaction requires authentication.',
}
/** Faults with an error code of their own; the others are decline codes of `card_declined`. */
const CHARGE_CODES: readonly ChargeFault[] = ['expired_card', 'incorrect_cvc', 'authentication_required']

export const chargeError = (fault: ChargeFault) =>
  new Problem(CHARGE_MESSAGES[fault] ?? 'Your card was declined.', {
    status: 402,
    type: 'card_error',
    code: CHARGE_CODES.includes(fault) ? fault : 'card_declined',
    ...(!CHARGE_CODES.includes(fault) && { decline_code: fault === 'insufficient_funds' ? fault : 'generic_decline' }),
  })
