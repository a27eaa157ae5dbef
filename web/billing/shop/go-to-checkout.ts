import { goToProvider } from '#web/billing/leave.ts'
import { config } from '#web/lib/config.ts'

type Session = { public_key: string; id: string; url?: string | undefined }

/** Leaves for the checkout: by its address, or by the older Stripe.js where a backend gives none (C-19). */
export async function goToCheckout({ url, public_key, id }: Session) {
  if (url !== undefined) return goToProvider(url)
  const { redirectToCheckout } = await import('./legacy-checkout.ts')
  return redirectToCheckout(config().payments?.stripeJs, public_key, id)
}
