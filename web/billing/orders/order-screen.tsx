import { Button } from '@mantine/core'
import { IconPackageOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router-dom'
import { orderQuery } from '#web/billing/billing.queries.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { Failure } from '#web/ui/feedback/failure.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
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
    <Notice
      role="alert"
      isPage
      icon={<IconPackageOff size={30} />}
      title={t('purchases.orderUnknown')}
      action={
        <Button component={Link} to="/orders" variant="default" h={44}>
          {t('purchases.allOrders')}
        </Button>
      }
    >
      {t('purchases.orderUnknownLead')}
    </Notice>
  )
}
