import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Invoice } from '#contracts/billing/invoices.ts'
import { wordsOf } from '#web/lib/api/api-error.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import classes from './failed-invoice-warning.module.css'
import { PayDialog } from './pay-dialog.tsx'
import { useBillingPortal } from './provider-page.ts'

export default function FailedInvoiceWarning({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation()
  const [isPaying, setPaying] = useState(false)
  const portal = useBillingPortal()
  return (
    <div role="alert" className={classes.warning}>
      <IconAlertTriangle size={20} aria-hidden="true" />
      <div>
        <p>{t('purchases.lastFailed')}</p>
        <FormAlert>{portal.hasFailed ? t(wordsOf(portal.error)) : null}</FormAlert>
        <div className={classes.buttons}>
          <Button variant="default" h={44} loading={portal.isOpening} onClick={portal.open}>
            {t('purchases.changeCard')}
          </Button>
          <Button h={44} onClick={() => setPaying(true)}>
            {t('purchases.payInvoice')}
          </Button>
        </div>
      </div>
      {isPaying && <PayDialog invoice={invoice} onClose={() => setPaying(false)} />}
    </div>
  )
}
