import { Button } from '@mantine/core'
import { IconCreditCard, IconPlus } from '@tabler/icons-react'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { cardsQuery } from '#web/billing/billing.queries.ts'
import { FailedInvoice } from '#web/billing/failed-invoice.tsx'
import { useBillingPortal } from '#web/billing/provider-page.ts'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { Page } from '#web/ui/page.tsx'
import { CardRow } from './card-row.tsx'
import classes from './payment-methods.module.css'

export default function PaymentMethodsScreen() {
  const { t } = useTranslation()
  const portal = useBillingPortal()
  const add = (
    <Button h={44} leftSection={<IconPlus size={18} />} loading={portal.isOpening} onClick={portal.open}>
      {t('purchases.addCard')}
    </Button>
  )
  const hasCards = (useQuery({ ...cardsQuery(), enabled: false }).data ?? []).length > 0
  return (
    <Page isNarrow isInAccount title={t('title.paymentMethods')} lead={t('purchases.cardsLead')} actions={hasCards && add}>
      <FailedInvoice />
      <FormAlert>{portal.hasFailed ? t('error.general') : null}</FormAlert>
      <Part skeleton={<SkeletonRows count={2} />}>
        <Cards add={add} />
      </Part>
    </Page>
  )
}

function Cards({ add }: { add: ReactNode }) {
  const { t } = useTranslation()
  const cards = useSuspenseQuery(cardsQuery()).data
  if (cards.length === 0)
    return (
      <Empty icon={<IconCreditCard size={30} />} title={t('purchases.noCard')} action={add}>
        {t('purchases.noCardLead')}
      </Empty>
    )
  return (
    <ul className={classes.cards}>
      {cards.map((card) => (
        <CardRow key={card.id} card={card} />
      ))}
    </ul>
  )
}
