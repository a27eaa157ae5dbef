import { LAST_REDIRECTING_STRIPE_JS } from '#contracts/billing/stripe-js.ts'
import { log } from '#web/lib/log.ts'

type LegacyStripe = (publicKey: string) => { redirectToCheckout?(to: { sessionId: string }): Promise<{ error?: unknown }> }

declare global {
  interface Window {
    Stripe?: LegacyStripe
  }
}

/** For backends that send no checkout URL: loads a version of Stripe.js that still has `redirectToCheckout`. */
export async function redirectToCheckout(script: string | undefined, publicKey: string, sessionId: string) {
  const src = script ?? LAST_REDIRECTING_STRIPE_JS
  try {
    if (!window.Stripe) {
      const choice = script ? 'as payments.stripeJs in /config.json says' : 'as /config.json has no payments.stripeJs'
      log.failure(`The payment session has no url, so Stripe.js leads to the checkout, ${choice}`, src)
      await loadScript(src)
    }
    const stripe = window.Stripe?.(publicKey)
    if (!stripe?.redirectToCheckout) throw new Error(`${src} has no redirectToCheckout`)
    const { error } = await stripe.redirectToCheckout({ sessionId })
    if (error) throw new Error('Stripe.js did not lead to the checkout', { cause: error })
  } catch (error) {
    log.failure('The checkout cannot be opened', error)
    throw error
  }
}

const loadScript = (src: string) =>
  new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    script.onload = () => resolve()
    script.onerror = () => {
      script.remove()
      reject(new Error(`${src} did not load`))
    }
    script.src = src
    document.head.append(script)
  })
