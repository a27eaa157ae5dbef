import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Invoice } from '#contracts/invoices.ts'
import type { ApiError } from '#web/lib/api-error.ts'
import { showToast } from '#web/lib/toasts.ts'
import { useFormats } from '#web/lib/use-formats.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { calls } from './calls.ts'
import { invoicesQuery } from './queries.ts'

/** Asks before money moves; what the bank says against it stands in the dialog (E-80). */
export function PayDialog({ invoice: { id, number, balance, currency }, onClose }: { invoice: Invoice; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const amount = useFormats().price(balance, currency)
  const { queryKey } = invoicesQuery()
  const pay = async () => {
    const paid = await calls.invoices.pay({ params: { id }, body: {} })
    queries.setQueryData(queryKey, (invoices) => invoices?.map((each) => (each.id === id ? paid : each)))
    showToast(t('purchases.paid', { number }))
  }
  const failure = ({ code }: ApiError) => {
    if (code === 'already_paid') void queries.invalidateQueries({ queryKey })
    return code === 'already_paid' || code === 'payment_failed' || code === 'no_payment_method' ? t(`purchases.${code}`) : undefined
  }
  return (
    <ConfirmDialog
      title={t('purchases.payOf', { number })}
      action={t('purchases.payNow', { amount })}
      onConfirm={pay}
      onClose={onClose}
      failure={failure}
    >
      <p>{t('purchases.payLead', { amount })}</p>
    </ConfirmDialog>
  )
}
