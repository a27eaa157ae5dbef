import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'react-router-dom'
import { ApiError } from '#web/lib/api/api-error.ts'
import { config } from '#web/lib/config.ts'
import { log } from '#web/lib/log.ts'
import { billingApi } from './billing.queries.ts'

/** Stripe's own origins; the configuration can add others. */
const PROVIDER_ORIGINS = ['https://checkout.stripe.com', 'https://billing.stripe.com', 'https://invoice.stripe.com']

/** Leaves the portal; an object so that tests can replace it. */
export const browser = { goTo: (url: string) => location.assign(url) }

/** Opens a page of the card provider. Throws for any other origin, because the URL comes from a server response. */
export function goToProvider(url: string) {
  const { origin } = new URL(url)
  const origins = config().payments?.origins ?? []
  if (![location.origin, ...PROVIDER_ORIGINS, ...origins].includes(origin)) {
    log.failure('A page of the card provider is neither at Stripe nor at one of payments.origins in /config.json', origin)
    throw new Error(`The card provider is not at ${origin}`)
  }
  browser.goTo(url)
}

/** Opens the provider's billing portal, which returns to this page. */
export function useBillingPortal() {
  const { pathname } = useLocation()
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: async () => {
      const { url } = await billingApi.openPortal({ body: { return_path: pathname } })
      goToProvider(url)
    },
  })
  return {
    open: () => mutate(),
    /** Stays true until the browser has left the page. */
    isOpening: isPending || isSuccess,
    error,
    hasFailed: error !== null && !(error instanceof ApiError && error.isLeaving),
  }
}
