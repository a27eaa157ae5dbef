import { goToProvider } from '#web/billing/leave.ts'
import { config } from '#web/lib/config.ts'

type Session = { public_key: string; id: string; url?: string | undefined }

/** Opens the checkout by its URL, or through legacy Stripe.js if the backend sends no URL. */
export async function goToCheckout({ url, public_key, id }: Session) {
  if (url !== undefined) return goToProvider(url)
  const { redirectToCheckout } = await import('./legacy-checkout.ts')
  return redirectToCheckout(config().payments?.stripeJs, public_key, id)
}
