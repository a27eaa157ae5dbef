import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
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

/**
 * A mutation that opens a page of the provider. `start` does nothing while it runs: the second click of a double click comes before the
 * button is disabled.
 */
export function useLeaving(leave: () => Promise<unknown>, onError?: () => void) {
  const queries = useQueryClient()
  const mutationKey = [useId()]
  const mutation = useMutation({ mutationKey, mutationFn: leave, ...(onError && { onError }) })
  return { ...mutation, start: () => queries.isMutating({ mutationKey }) === 0 && mutation.mutate() }
}

/** Opens the provider's billing portal, which returns to this page. */
export function useBillingPortal() {
  const { pathname } = useLocation()
  const { start, isPending, isSuccess, error } = useLeaving(async () => {
    const { url } = await billingApi.openPortal({ body: { return_path: pathname } })
    goToProvider(url)
  })
  return {
    open: start,
    /** Stays true until the browser has left the page. */
    isOpening: isPending || isSuccess,
    error,
    hasFailed: error !== null && !(error instanceof ApiError && error.isLeaving),
  }
}
