import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { PaymentMethod } from '#contracts/payment-methods.ts'
import { calls } from '#web/billing/billing.calls.ts'
import { cardsQuery } from '#web/billing/billing.queries.ts'
import { orGone } from '#web/lib/api/api-error.ts'
import { showToast } from '#web/lib/toasts.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { cardName } from './card-words.ts'

/** Confirms the deletion. The server refuses to delete the card that pays for a recurring subscription. */
export function DeleteCard({ card, onClose }: { card: PaymentMethod; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const name = cardName(card)
  const remove = async () => {
    await calls.cards.remove({ params: { id: card.id } }).catch(orGone)
    showToast(t('purchases.cardDeleted', { card: name }))
    await queries.invalidateQueries({ queryKey: cardsQuery().queryKey })
  }
  return (
    <ConfirmDialog
      title={t('purchases.deleteCard', { card: name })}
      action={t('action.delete')}
      isDanger
      onConfirm={remove}
      onClose={onClose}
      failure={({ code }) => (code === 'in_use' ? t('purchases.in_use') : undefined)}
    >
      <p>{t('purchases.deleteCardLead')}</p>
    </ConfirmDialog>
  )
}
