/** Everything that the fake Stripe takes from the rest of the repository; a host of its own needs another file like this one. */
import cs from '#locales/cs/test-payment.json' with { type: 'json' }
import de from '#locales/de/test-payment.json' with { type: 'json' }
import en from '#locales/en/test-payment.json' with { type: 'json' }
import es from '#locales/es/test-payment.json' with { type: 'json' }
import fi from '#locales/fi/test-payment.json' with { type: 'json' }
import fr from '#locales/fr/test-payment.json' with { type: 'json' }
import hu from '#locales/hu/test-payment.json' with { type: 'json' }
import it from '#locales/it/test-payment.json' with { type: 'json' }
import ja from '#locales/ja/test-payment.json' with { type: 'json' }
import nl from '#locales/nl/test-payment.json' with { type: 'json' }
import pt from '#locales/pt/test-payment.json' with { type: 'json' }
import sv from '#locales/sv/test-payment.json' with { type: 'json' }

export { LANGUAGES, type Language } from '#contracts/lib/languages.ts'
export type { PaymentEvent, Webhooks } from '#contracts/mock/payments.ts'
export { formatPrice, INTERVALS, type Interval, minorUnitDigits, TAX_BEHAVIORS } from '#contracts/rules/price.ts'
export { addMonths } from '#contracts/rules/subscription.ts'
export { formatInstant } from '#contracts/rules/time.ts'
export { findFreePort, listen } from '#server/http/process.ts'
export { escapeHtml } from '#server/lib/escape-html.ts'
export { renderHtmlPage } from '#server/mock/lib/html-page.ts'
export { createRandom } from '#server/mock/lib/random.ts'
export { type Clock, systemClock } from '#server/ports/clock.ts'
export { type Ids, systemIds } from '#server/ports/ids.ts'
export { createPayments, type Payments, stripeId } from '#server/ports/payments.ts'

export type Words = typeof en

/** The texts of the hosted pages, by language. */
export const WORDS = { en, fr, de, es, it, nl, pt, sv, fi, hu, cs, ja } satisfies Record<string, Words>
