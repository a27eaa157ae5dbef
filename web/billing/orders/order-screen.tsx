import { IconPackageOff } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router-dom'
import { orderQuery } from '#web/billing/billing.queries.ts'
import { NotFoundNotice } from '#web/ui/feedback/not-found-notice.tsx'
import { Page } from '#web/ui/page.tsx'
import { OrderDetails } from './order-details.tsx'

export default function OrderScreen() {
  const { t } = useTranslation()
  const { reference = '' } = useParams()
  const order = useSuspenseQuery(orderQuery(reference)).data
  if (!order) return <UnknownOrder />
  return (
    <Page isNarrow title={t('purchases.orderOf', { reference })} back={{ to: '/orders', label: t('title.orders') }}>
      <OrderDetails order={order} />
    </Page>
  )
}

function UnknownOrder() {
  const { t } = useTranslation()
  return (
    <NotFoundNotice
      icon={<IconPackageOff size={30} />}
      title={t('purchases.orderUnknown')}
      link={{ to: '/orders', label: t('purchases.allOrders') }}
    >
      {t('purchases.orderUnknownLead')}
    </NotFoundNotice>
  )
}
