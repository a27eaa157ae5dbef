import { IconPackageOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router-dom'
import { orderQuery } from '#web/billing/billing.queries.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { Failure } from '#web/ui/feedback/failure.tsx'
import { NotFoundNotice } from '#web/ui/feedback/not-found-notice.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Page } from '#web/ui/page.tsx'
import { OrderDetails } from './order-details.tsx'

export default function OrderScreen() {
  const { t } = useTranslation()
  const { reference = '' } = useParams()
  const { data, error, refetch } = useQuery(orderQuery(reference))
  if (error instanceof ApiError && error.status === 404) return <UnknownOrder />
  return (
    <Page isNarrow title={t('purchases.orderOf', { reference })} back={{ to: '/orders', label: t('title.orders') }}>
      {error && <Failure retry={() => void refetch()} />}
      {!data && !error && <SkeletonRows count={4} />}
      {data && <OrderDetails order={data} />}
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
