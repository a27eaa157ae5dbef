import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Invoice } from '#contracts/billing/invoices.ts'
import { wordsOf } from '#web/lib/api/api-error.ts'
import { useNow } from '#web/lib/clock.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { cardsQuery } from './billing.queries.ts'
import { describeCard, isCardExpired } from './card.ts'
import classes from './failed-invoice-warning.module.css'
import { PayDialog } from './pay-dialog.tsx'
import { useBillingPortal } from './provider-page.ts'

export default function FailedInvoiceWarning({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation()
  const [isPaying, setPaying] = useState(false)
  const portal = useBillingPortal()
  const now = useNow()
  const card = useQuery(cardsQuery()).data?.find(({ is_default }) => is_default)
  const isExpired = card !== undefined && isCardExpired(card, now)
  return (
    <div role="alert" className={classes.warning}>
      <IconAlertTriangle size={20} aria-hidden="true" />
      <div>
        <p>{t('purchases.lastFailed')}</p>
        {isExpired && <p className={classes.card}>{describeCard(card, (date) => t('purchases.expiredOn', { date }))}</p>}
        <FormAlert>{portal.hasFailed ? t(wordsOf(portal.error)) : null}</FormAlert>
        <div className={classes.buttons}>
          <Button {...(!isExpired && { variant: 'default' })} h={44} loading={portal.isOpening} onClick={portal.open}>
            {t('purchases.changeCard')}
          </Button>
          <Button {...(isExpired && { variant: 'default' })} h={44} onClick={() => setPaying(true)}>
            {t('purchases.payInvoice')}
          </Button>
        </div>
      </div>
      {isPaying && <PayDialog invoice={invoice} onClose={() => setPaying(false)} />}
    </div>
  )
}
