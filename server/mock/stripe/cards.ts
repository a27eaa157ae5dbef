export type CardFault = 'declined' | 'insufficient_funds' | 'expired_card' | 'incorrect_cvc' | 'authentication_failed' | 'unknown_card'
/** What comes of charging a card while nobody is there to say that it is them. */
export type ChargeFault = CardFault | 'authentication_required'

/**
 * `fault` comes of charging the card, once its owner has said that it is them where `asks` wants that: never, until the card
 * was set up for later payments, or each time. `isKept` says that a customer may keep it.
 */
export type TestCard = {
  number: string
  fault: 'declined' | 'insufficient_funds' | 'expired_card' | 'incorrect_cvc' | null
  isKept: boolean
  asks: 'never' | 'until_set_up' | 'always'
}

/** The provider's test cards, and what comes of paying with each; every other number is refused. */
export const TEST_CARDS: readonly TestCard[] = [
  { number: '4242 4242 4242 4242', fault: null, isKept: true, asks: 'never' },
  { number: '4000 0025 0000 3155', fault: null, isKept: true, asks: 'until_set_up' },
  { number: '4000 0027 6000 3184', fault: null, isKept: true, asks: 'always' },
  { number: '4000 0084 0000 1629', fault: 'declined', isKept: false, asks: 'always' },
  { number: '4000 0000 0000 0002', fault: 'declined', isKept: false, asks: 'never' },
  { number: '4000 0000 0000 9995', fault: 'insufficient_funds', isKept: false, asks: 'never' },
  { number: '4000 0000 0000 0069', fault: 'expired_card', isKept: false, asks: 'never' },
  { number: '4000 0000 0000 0127', fault: 'incorrect_cvc', isKept: false, asks: 'never' },
  { number: '4000 0000 0000 0341', fault: 'declined', isKept: true, asks: 'never' },
]

const LAST_DIGITS = 4
export const last4Of = ({ number }: TestCard) => number.slice(-LAST_DIGITS)

/** Never keep or log the number: a visitor may type a real one. */
export const findCard = (number: string) => {
  const digits = number.replace(/[\s-]/g, '')
  return TEST_CARDS.find((one) => one.number.replaceAll(' ', '') === digits)
}

/** The test card of these last digits, all that is known of one that is kept. */
export const cardOfLast4 = (last4: string) => TEST_CARDS.find((card) => last4Of(card) === last4)

/** Null when a customer may keep the card. */
export const keepFault = (card: TestCard): CardFault | null => (card.isKept ? null : (card.fault ?? 'declined'))
