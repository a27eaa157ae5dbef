import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Invoice } from '#contracts/billing/invoices.ts'
import { billingApi } from '#web/billing/billing.queries.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { saveFile } from '#web/lib/api/download.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'

export function InvoicePdfButton({ invoice: { id, number }, children }: { invoice: Invoice; children: string }) {
  const { t } = useTranslation()
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => saveFile(await billingApi.invoices.pdf({ params: { id } }), `${number}.pdf`, 'application/pdf'),
  })
  const isShown = error && !(error instanceof ApiError && error.isLeaving)
  return (
    <>
      <FormAlert>{isShown ? t('error.general') : null}</FormAlert>
      <Button
        variant="default"
        h={44}
        leftSection={<IconDownload size={18} />}
        loading={isPending}
        aria-label={t('purchases.pdfOf', { number })}
        onClick={() => mutate()}
      >
        {children}
      </Button>
    </>
  )
}
