export type CardFault = 'declined' | 'insufficient_funds' | 'expired_card' | 'unknown_card'

/** The provider's test cards, and what comes of paying with each; every other number is refused. */
export const TEST_CARDS = [
  { number: '4242 4242 4242 4242', fault: null },
  { number: '4000 0000 0000 0002', fault: 'declined' },
  { number: '4000 0000 0000 9995', fault: 'insufficient_funds' },
  { number: '4000 0000 0000 0069', fault: 'expired_card' },
] as const satisfies readonly { number: string; fault: CardFault | null }[]

/** Null when the card pays. Never keep or log the number: a visitor may type a real one. */
export function cardFault(number: string): CardFault | null {
  const digits = number.replace(/[\s-]/g, '')
  const card = TEST_CARDS.find((one) => one.number.replaceAll(' ', '') === digits)
  return card ? card.fault : 'unknown_card'
}
