import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Invoice } from '#contracts/billing/invoices.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { showToast } from '#web/lib/toasts.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { billingApi, invoicesQuery } from './billing.queries.ts'
import { goToProvider } from './provider-page.ts'

export function PayDialog({ invoice: { id, number, balance, currency }, onClose }: { invoice: Invoice; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const amount = useFormats().price(balance, currency)
  const { queryKey } = invoicesQuery()
  const [hosted, setHosted] = useState<string | null>(null)
  const handleRefusal = (error: unknown) => {
    if (!(error instanceof ApiError)) throw error
    const { hosted_url } = error.extras
    setHosted(typeof hosted_url === 'string' ? hosted_url : null)
    if (error.code === 'already_paid') void queries.invalidateQueries({ queryKey })
    throw error
  }
  const pay = async () => {
    const paid = await billingApi.invoices.pay({ params: { id }, body: {} }).catch(handleRefusal)
    queries.setQueryData(queryKey, (invoices) => invoices?.map((each) => (each.id === id ? paid : each)))
    showToast(t('purchases.paid', { number }))
  }
  const failure = ({ code }: ApiError) =>
    code === 'already_paid' || code === 'payment_failed' || code === 'no_payment_method' ? t(`purchases.${code}`) : undefined
  return (
    <ConfirmDialog
      title={t('purchases.payOf', { number })}
      action={t('purchases.payNow', { amount })}
      onConfirm={pay}
      onClose={onClose}
      failure={failure}
    >
      <p>{t('purchases.payLead', { amount })}</p>
      {hosted !== null && <ProviderLink url={hosted} />}
    </ConfirmDialog>
  )
}

/** Link to the provider's invoice page, for another card or for 3-D Secure. */
function ProviderLink({ url }: { url: string }) {
  const { t } = useTranslation()
  const [hasFailed, setFailed] = useState(false)
  const leave = () => {
    try {
      goToProvider(url)
    } catch {
      setFailed(true)
    }
  }
  return (
    <>
      <p>{t('purchases.payThereLead')}</p>
      <FormAlert>{hasFailed ? t('error.general') : null}</FormAlert>
      <Button variant="default" h={44} fullWidth onClick={leave}>
        {t('purchases.payThere')}
      </Button>
    </>
  )
}
