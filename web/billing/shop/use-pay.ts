import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { HeldSubscription } from '#contracts/subscriptions.ts'
import { type Cart, plansIn } from '#web/billing/cart.ts'
import { calls } from '#web/billing/subscriptions.calls.ts'
import { pathOf } from '#web/billing/wish.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { goToCheckout } from './go-to-checkout.ts'

const MAX_PATH = 500

/** Creates a checkout session and opens it. On failure the user stays on the page. */
export function usePay(cart: Cart, held: readonly HeldSubscription[]) {
  const { t } = useTranslation()
  const { mutate, reset, isPending, isSuccess, error } = useMutation({
    mutationFn: async () => goToCheckout(await calls.pay({ body: bodyOf(cart, held) })),
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

/** The success path carries the newest subscription id, so that the page can wait for a newer one; the cancel path restores the cart. */
function bodyOf(cart: Cart, held: readonly HeldSubscription[]) {
  const items = plansIn(cart)
  const line = ({ device, price }: (typeof items)[number]) => ({ device, price: price.id })
  const newest = Math.max(0, ...held.map(({ id }) => id))
  const devices = items.map(({ device }) => device).join(',')
  return {
    items: items.map(line),
    options: cart.options.map(line),
    success_path: short(`/subscription?${new URLSearchParams({ checkout: 'success', after: String(newest), devices })}`, 'success'),
    cancel_path: short(pathOf(cart, { checkout: 'cancel' }), 'cancel'),
  }
}

const short = (path: string, outcome: string) => (path.length > MAX_PATH ? `/subscription?checkout=${outcome}` : path)
