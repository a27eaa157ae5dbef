import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { HeldSubscription } from '#contracts/billing/subscriptions.ts'
import { type Cart, cartPath, listPlans } from '#web/billing/cart.ts'
import { goToProvider } from '#web/billing/provider-page.ts'
import { subscriptionsApi } from '#web/billing/subscriptions.queries.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { config } from '#web/lib/config.ts'

const MAX_PATH_LENGTH = 500

/** Creates a checkout session and opens it. On failure the user stays on the page. */
export function useCheckout(cart: Cart, held: readonly HeldSubscription[]) {
  const { t } = useTranslation()
  const { mutate, reset, isPending, isSuccess, error } = useMutation({
    mutationFn: async () => goToCheckout(await subscriptionsApi.pay({ body: buildCheckoutRequest(cart, held) })),
  })
  // A page restored from the back/forward cache would still show the button as loading.
  useEffect(() => {
    const wake = ({ persisted }: PageTransitionEvent) => persisted && reset()
    window.addEventListener('pageshow', wake)
    return () => window.removeEventListener('pageshow', wake)
  }, [reset])
  const sentence = () => {
    if (!error || (error instanceof ApiError && error.isLeaving)) return null
    const code = error instanceof ApiError ? error.code : null
    if (code === 'device_linked_to_pro') return t('subscriptions.pro')
    return code === 'recurring_active' ? t('subscriptions.recurring') : t('subscriptions.payFailed')
  }
  return { pay: () => mutate(), isBusy: isPending || isSuccess, failure: sentence() }
}

/** The success path carries the subscriptions held now, so that the page can wait for others; the cancel path restores the cart. */
function buildCheckoutRequest(cart: Cart, held: readonly HeldSubscription[]) {
  const items = listPlans(cart)
  const line = ({ device, price }: (typeof items)[number]) => ({ device, price: price.id })
  const before = held.filter((each) => items.some(({ device }) => device === each.device)).map(({ id }) => id)
  const devices = items.map(({ device }) => device).join(',')
  return {
    items: items.map(line),
    options: cart.options.map(line),
    success_path: limitPathLength(
      `/subscription?${new URLSearchParams({ checkout: 'success', before: before.join(','), devices })}`,
      'success',
    ),
    cancel_path: limitPathLength(cartPath(cart, { checkout: 'cancel' }), 'cancel'),
  }
}

const limitPathLength = (path: string, outcome: string) => (path.length > MAX_PATH_LENGTH ? `/subscription?checkout=${outcome}` : path)

type Session = { public_key: string; id: string; url?: string | undefined }

async function goToCheckout({ url, public_key, id }: Session) {
  if (url !== undefined) return goToProvider(url)
  const { redirectToCheckout } = await import('./legacy-checkout.ts')
  return redirectToCheckout(config().payments?.stripeJs, public_key, id)
}
