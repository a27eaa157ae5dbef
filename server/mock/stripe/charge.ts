import type { CardFault } from './cards.ts'
import { Problem } from './problem.ts'

/** How the provider says that a card cannot be charged. */
export const refusedCharge = (fault: CardFault) =>
  fault === 'expired_card'
    ? new Problem('Your card has expired.', { status: 402, type: 'card_error', code: 'expired_card' })
    : new Problem(fault === 'insufficient_funds' ? 'Your card has insufficient funds.' : 'Your card was declined.', {
        status: 402,
        type: 'card_error',
        code: 'card_declined',
        decline_code: fault === 'insufficient_funds' ? fault : 'generic_decline',
      })
