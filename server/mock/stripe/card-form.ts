import { escapeHtml } from '#server/lib/escape-html.ts'
import { type CardFault, TEST_CARDS, type TestCard } from './cards.ts'
import type { Words } from './words.ts'

/** The alert that explains why a card was refused; empty before the first attempt. */
export const renderFaultNote = (fault: CardFault | undefined, words: Words) =>
  fault ? `<p class="alert" role="alert" id="fault">${escapeHtml(words.fault[fault])}</p>` : ''

export const renderCardForm = (
  words: Words,
  action: string,
  fault: CardFault | undefined,
  to: string,
) => `<form method="post" action="${to}">
<label for="number">${escapeHtml(words.number)}</label>
<input id="number" name="number" inputmode="numeric" autocomplete="off" maxlength="23" required autofocus${fault ? ' aria-invalid="true" aria-describedby="fault"' : ''} placeholder="4242 4242 4242 4242">
<div class="pair">
<div><label for="expiry">${escapeHtml(words.expiry)}</label><input id="expiry" name="expiry" autocomplete="off" maxlength="7" value="12 / 34" required></div>
<div><label for="cvc">${escapeHtml(words.cvc)}</label><input id="cvc" name="cvc" inputmode="numeric" autocomplete="off" maxlength="4" value="123" required></div>
</div>
<button type="submit">${escapeHtml(action)}</button>
</form>`

/** The list of test cards with the outcome of each. */
export const renderCardList = (words: Words, outcome: (card: TestCard) => keyof Words['outcome']) =>
  `<ul class="cards">${TEST_CARDS.map((card) => `<li><code>${card.number}</code> ${escapeHtml(words.outcome[outcome(card)])}</li>`).join('')}</ul>`

/** The outcome of an on-session payment, where the cardholder can answer the bank's question. */
export const paymentOutcome = ({ fault, asks }: TestCard) => {
  if (asks === 'never') return fault ?? 'paid'
  if (fault) return 'asks_declined'
  return asks === 'always' ? 'asks_always' : 'asks_once'
}
