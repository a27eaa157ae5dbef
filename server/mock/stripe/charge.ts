import type { ChargeFault } from './cards.ts'
import { Problem } from './problem.ts'

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
