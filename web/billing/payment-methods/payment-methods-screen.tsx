import { Button } from '@mantine/core'
import { IconCreditCard, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { cardsQuery } from '#web/billing/billing.queries.ts'
import { FailedInvoice } from '#web/billing/failed-invoice.tsx'
import { useBillingPortal } from '#web/billing/provider-page.ts'
import { Failure } from '#web/ui/feedback/failure.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { Page } from '#web/ui/page.tsx'
import { CardRow } from './card-row.tsx'
import classes from './payment-methods.module.css'

export default function PaymentMethodsScreen() {
  const { t } = useTranslation()
  const { data, isError, refetch } = useQuery(cardsQuery())
  const portal = useBillingPortal()
  const add = (
    <Button h={44} leftSection={<IconPlus size={18} />} loading={portal.isOpening} onClick={portal.open}>
      {t('purchases.addCard')}
    </Button>
  )
  const hasCards = data !== undefined && data.length > 0
  return (
    <Page isNarrow title={t('title.paymentMethods')} lead={t('purchases.cardsLead')} actions={hasCards && add}>
      <FailedInvoice />
      <FormAlert>{portal.hasFailed ? t('error.general') : null}</FormAlert>
      {isError && <Failure retry={() => void refetch()} />}
      {!data && !isError && <SkeletonRows count={2} />}
      {data?.length === 0 && (
        <Empty icon={<IconCreditCard size={30} />} title={t('purchases.noCard')} action={add}>
          {t('purchases.noCardLead')}
        </Empty>
      )}
      {hasCards && (
        <ul className={classes.cards}>
          {data.map((card) => (
            <CardRow key={card.id} card={card} />
          ))}
        </ul>
      )}
    </Page>
  )
}
