import { goToProvider } from '#web/billing/provider-page.ts'
import { config } from '#web/lib/config.ts'

type Session = { public_key: string; id: string; url?: string | undefined }

/** Opens the checkout of a session; without an address, the way Stripe's script did before it had one. */
export async function goToCheckout({ url, public_key, id }: Session) {
  if (url !== undefined) return goToProvider(url)
  const { redirectToCheckout } = await import('./legacy-checkout.ts')
  return redirectToCheckout(config().payments?.stripeJs, public_key, id)
}
