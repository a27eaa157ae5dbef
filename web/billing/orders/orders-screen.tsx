import { IconPackage } from '@tabler/icons-react'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Order } from '#contracts/billing/orders.ts'
import { ordersQuery } from '#web/billing/billing.queries.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { type Column, DataTable } from '#web/ui/lists/data-table.tsx'
import { Page } from '#web/ui/page.tsx'
import { OrderBadge } from './order-badge.tsx'

export default function OrdersScreen() {
  const { t } = useTranslation()
  const count = useQuery({ ...ordersQuery(), enabled: false }).data?.length
  return (
    <Page isInAccount title={t('title.orders')} {...(count && { count })}>
      <Part skeleton={<SkeletonRows count={3} />} title={t('purchases.ordersFailed')}>
        <Orders />
      </Part>
    </Page>
  )
}

function Orders() {
  const { t } = useTranslation()
  const formats = useFormats()
  const orders = useSuspenseQuery(ordersQuery()).data
  const columns: Column<Order>[] = [
    {
      head: t('purchases.reference'),
      cell: ({ reference }) => <Link to={`/orders/${encodeURIComponent(reference)}`}>{reference}</Link>,
    },
    { head: t('purchases.date'), cell: ({ date }) => formats.date(date) },
    { head: t('purchases.status'), cell: ({ status }) => <OrderBadge status={status} /> },
    { head: t('purchases.invoice'), cell: ({ invoice }) => invoice && <InvoiceLink id={invoice} /> },
    { head: t('purchases.total'), cell: ({ total, currency }) => formats.price(total, currency), isEnd: true },
  ]
  if (orders.length === 0)
    return (
      <Empty icon={<IconPackage size={30} />} title={t('purchases.noOrder')}>
        {t('purchases.noOrderLead')}
      </Empty>
    )
  return <DataTable label={t('title.orders')} columns={columns} rows={orders} keyOf={({ reference }) => reference} />
}

const InvoiceLink = ({ id }: { id: number }) => (
  <Link to={`/invoices?id=${encodeURIComponent(id)}`}>{useTranslation().t('purchases.showInvoice')}</Link>
)
