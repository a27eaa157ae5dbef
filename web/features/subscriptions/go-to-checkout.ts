import { config } from '#web/lib/config.ts'
import { browser } from './browser.ts'

type Session = { public_key: string; id: string; url?: string | undefined }

const PROVIDER = 'https://checkout.stripe.com'

/** Leaves for the checkout: by its address, or by the older Stripe.js where a backend gives none (C-19). Throws for any other place. */
export async function goToCheckout({ url, public_key, id }: Session) {
  const { payments } = config()
  if (url === undefined) {
    const { redirectToCheckout } = await import('./legacy-checkout.ts')
    return redirectToCheckout(payments?.stripeJs, public_key, id)
  }
  const { origin } = new URL(url)
  if (![location.origin, PROVIDER, ...(payments?.origins ?? [])].includes(origin)) throw new Error('The checkout is at a strange place')
  browser.goTo(url)
}
