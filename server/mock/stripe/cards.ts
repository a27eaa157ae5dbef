export type CardFault = 'declined' | 'insufficient_funds' | 'expired_card' | 'unknown_card'

/** `fault` comes of charging the card; `isKept` says that a customer may keep it all the same, to be declined later. */
export type TestCard = { number: string; fault: Exclude<CardFault, 'unknown_card'> | null; isKept: boolean }

/** The provider's test cards, and what comes of paying with each; every other number is refused. */
export const TEST_CARDS: readonly TestCard[] = [
  { number: '4242 4242 4242 4242', fault: null, isKept: true },
  { number: '4000 0000 0000 0002', fault: 'declined', isKept: false },
  { number: '4000 0000 0000 9995', fault: 'insufficient_funds', isKept: false },
  { number: '4000 0000 0000 0069', fault: 'expired_card', isKept: false },
  { number: '4000 0000 0000 0341', fault: 'declined', isKept: true },
]

export const LAST_DIGITS = 4

/** Never keep or log the number: a visitor may type a real one. */
const findCard = (number: string) => {
  const digits = number.replace(/[\s-]/g, '')
  return TEST_CARDS.find((one) => one.number.replaceAll(' ', '') === digits)
}

/** Null when the card pays. */
export function cardFault(number: string): CardFault | null {
  const card = findCard(number)
  return card ? card.fault : 'unknown_card'
}

/** Null when a customer may keep the card. */
export function keepFault(number: string): CardFault | null {
  const card = findCard(number)
  return card?.isKept ? null : (card?.fault ?? 'unknown_card')
}

/** What comes of charging a card that is kept, of which only the last digits are known. */
export const faultOfLast4 = (last4: string) => TEST_CARDS.find((card) => card.number.endsWith(last4))?.fault ?? null
