import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'react-router-dom'
import { ApiError } from '#web/lib/api/api-error.ts'
import { calls } from './billing.calls.ts'
import { goToProvider } from './leave.ts'

/** The billing portal of the card provider, which leads back to this page (E-11). */
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
    /** Until the browser has left. */
    isOpening: isPending || isSuccess,
    hasFailed: error !== null && !(error instanceof ApiError && error.isLeaving),
  }
}
