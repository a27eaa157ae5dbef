import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'react-router-dom'
import { ApiError } from '#web/lib/api/api-error.ts'
import { calls } from './billing.calls.ts'
import { goToProvider } from './leave.ts'

/** Opens the provider's billing portal, which returns to this page. */
export function usePortal() {
  const { pathname } = useLocation()
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: async () => {
      const { url } = await calls.openPortal({ body: { return_path: pathname } })
      goToProvider(url)
    },
  })
  return {
    open: () => mutate(),
    /** Stays true until the browser has left the page. */
    isOpening: isPending || isSuccess,
    hasFailed: error !== null && !(error instanceof ApiError && error.isLeaving),
  }
}
