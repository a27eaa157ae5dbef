import { Problem } from './endpoint.ts'
import type { Provider } from './provider.ts'

/** Stripe's decline codes that a test card has. */
export type DeclineCode = 'lost_card' | 'stolen_card' | 'card_velocity_exceeded' | 'fraudulent'
export type CardFault =
  | 'declined'
  | 'insufficient_funds'
  | 'expired_card'
  | 'incorrect_cvc'
  | 'authentication_failed'
  | 'unknown_card'
  | 'processing_error'
  | DeclineCode
/** Outcome of an off-session charge, where the cardholder cannot confirm. */
export type ChargeFault = CardFault | 'authentication_required'

/** The reason of a dispute, and whether the bank only inquires, which takes no money. */
export type Dispute = { reason: 'fraudulent' | 'product_not_received'; isInquiry?: boolean }

/**
 * `asks` says when the bank requires confirmation; `until_set_up` stops once the card is set up for later payments, `on_session` is set up
 * already. `fault` is the outcome of a charge after that confirmation. `isAttachable`: the card can be saved for a customer.
 */
export type TestCard = {
  number: string
  fault: Exclude<CardFault, 'authentication_failed' | 'unknown_card'> | null
  isAttachable: boolean
  asks: 'never' | 'until_set_up' | 'on_session' | 'always'
  /** The card holder disputes each charge at once. */
  dispute?: Dispute
  /** Visa unless the card specifies another brand. */
  brand?: string
}

/** A card with an outcome that the pages describe. */
export type ListedCard = TestCard & { fault: 'declined' | 'insufficient_funds' | 'expired_card' | 'incorrect_cvc' | null }

/** Stripe's test cards, as the pages list them. */
export const TEST_CARDS: readonly ListedCard[] = [
  { number: '4242 4242 4242 4242', fault: null, isAttachable: true, asks: 'never' },
  { number: '4000 0025 0000 3155', fault: null, isAttachable: true, asks: 'until_set_up' },
  { number: '4000 0027 6000 3184', fault: null, isAttachable: true, asks: 'always' },
  { number: '4000 0084 0000 1629', fault: 'declined', isAttachable: false, asks: 'always' },
  { number: '4000 0000 0000 0002', fault: 'declined', isAttachable: false, asks: 'never' },
  { number: '4000 0000 0000 9995', fault: 'insufficient_funds', isAttachable: false, asks: 'never' },
  { number: '4000 0000 0000 0069', fault: 'expired_card', isAttachable: false, asks: 'never' },
  { number: '4000 0000 0000 0127', fault: 'incorrect_cvc', isAttachable: false, asks: 'never' },
  { number: '4000 0000 0000 0259', fault: null, isAttachable: true, asks: 'never', dispute: { reason: 'fraudulent' } },
  { number: '4000 0000 0000 0341', fault: 'declined', isAttachable: true, asks: 'never' },
]

const decline = (number: string, fault: TestCard['fault']): TestCard => ({ number, fault, isAttachable: false, asks: 'never' })
const accept = (number: string, more: Partial<TestCard> = {}): TestCard => ({
  number,
  fault: null,
  isAttachable: true,
  asks: 'never',
  ...more,
})

/** Further accepted test cards. Every other number is rejected. */
const MORE_CARDS: readonly TestCard[] = [
  decline('4000 0000 0000 9987', 'lost_card'),
  decline('4000 0000 0000 9979', 'stolen_card'),
  decline('4000 0000 0000 0119', 'processing_error'),
  decline('4000 0000 0000 6975', 'card_velocity_exceeded'),
  decline('4100 0000 0000 0019', 'fraudulent'),
  decline('4000 0000 0000 4954', 'fraudulent'),
  accept('4000 0038 0000 0446', { asks: 'on_session' }),
  accept('4000 0082 6000 3178', { asks: 'always', fault: 'insufficient_funds' }),
  accept('4000 0000 0000 3220', { asks: 'always' }),
  accept('4000 0000 0000 3055'),
  accept('4000 0000 0000 2685', { dispute: { reason: 'product_not_received' } }),
  accept('4000 0000 0000 1976', { dispute: { reason: 'fraudulent', isInquiry: true } }),
  accept('4000 0566 5566 5556'),
  accept('5555 5555 5555 4444', { brand: 'mastercard' }),
  accept('5200 8282 8282 8210', { brand: 'mastercard' }),
  accept('5105 1051 0510 5100', { brand: 'mastercard' }),
  accept('3714 496353 98431', { brand: 'amex' }),
  accept('3782 822463 10005', { brand: 'amex' }),
  accept('6011 1111 1111 1117', { brand: 'discover' }),
  accept('3056 9300 0902 0004', { brand: 'diners' }),
  accept('3566 0020 2036 0505', { brand: 'jcb' }),
  accept('6200 0000 0000 0005', { brand: 'unionpay' }),
]

const ALL_CARDS: readonly TestCard[] = [...TEST_CARDS, ...MORE_CARDS]

const LAST_DIGITS = 4
export const lastFourDigits = ({ number }: TestCard) => number.replaceAll(' ', '').slice(-LAST_DIGITS)

/** Never save or log the number: a visitor may type a real one. */
export const findTestCard = (number: string) => {
  const digits = number.replace(/[\s-]/g, '')
  return ALL_CARDS.find((one) => one.number.replaceAll(' ', '') === digits)
}

/** Saved cards have only their last four digits, which identify the test card. */
export const findTestCardByLast4 = (last4: string) => ALL_CARDS.find((card) => lastFourDigits(card) === last4)

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
  processing_error: 'An error occurred while processing your card. Try again in a little bit.',
  card_velocity_exceeded: 'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
  authentication_required: 'Your card was declined. This transaction requires authentication.',
}
/** Faults with an error code of their own; the others are decline codes of `card_declined`. */
const CHARGE_CODES: readonly ChargeFault[] = ['expired_card', 'incorrect_cvc', 'processing_error', 'authentication_required']

export const chargeError = (fault: ChargeFault) =>
  new Problem(CHARGE_MESSAGES[fault] ?? 'Your card was declined.', {
    status: 402,
    type: 'card_error',
    code: CHARGE_CODES.includes(fault) ? fault : 'card_declined',
    ...(fault === 'authentication_required' && { decline_code: fault }),
    ...(!CHARGE_CODES.includes(fault) && { decline_code: fault === 'declined' ? 'generic_decline' : fault }),
  })
