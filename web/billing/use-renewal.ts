import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { HeldSubscription } from '#contracts/subscriptions.ts'
import { showToast } from '#web/lib/toasts.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.ts'
import { calls } from './subscriptions.calls.ts'
import { heldQuery } from './subscriptions.queries.ts'

/**
 * Returns a function that cancels or resumes a recurring subscription and reloads subscriptions and trackers afterwards, even on failure.
 */
export function useRenewal({ id }: HeldSubscription) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  return async (cancel_at_period_end: boolean) => {
    try {
      await calls.change({ params: { id }, body: { cancel_at_period_end } })
      showToast(cancel_at_period_end ? t('subscriptions.stopped') : t('subscriptions.resumed'))
    } finally {
      await Promise.all([heldQuery(), devicesQuery()].map(({ queryKey }) => queries.invalidateQueries({ queryKey })))
    }
  }
}
