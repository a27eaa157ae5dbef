import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { PaymentMethod } from '#contracts/payment-methods.ts'
import { calls } from '#web/billing/billing.calls.ts'
import { cardsQuery } from '#web/billing/billing.queries.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { showToast } from '#web/lib/toasts.ts'
import { cardName } from './card-words.ts'

/** Makes a card the default. The toast offers to restore the previous one. */
export function useMakeDefault() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { queryKey } = cardsQuery()
  const { mutate, isPending, error } = useMutation({
    mutationFn: async ({ card }: { card: PaymentMethod; isUndo: boolean }) => {
      await calls.cards.change({ params: { id: card.id }, body: { is_default: true } })
    },
    onSuccess: async (_, { card, isUndo }) => {
      const before = queries.getQueryData(queryKey)?.find(({ is_default }) => is_default)
      await queries.invalidateQueries({ queryKey })
      const undo = before && !isUndo ? () => mutate({ card: before, isUndo: true }) : undefined
      showToast(t('purchases.madeDefault', { card: cardName(card) }), undo)
    },
    onError: () => queries.invalidateQueries({ queryKey }),
  })
  return {
    makeDefault: (card: PaymentMethod) => mutate({ card, isUndo: false }),
    isBusy: isPending,
    hasFailed: error !== null && !(error instanceof ApiError && error.isLeaving),
  }
}
