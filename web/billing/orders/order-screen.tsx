import { IconPackageOff } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router-dom'
import type { OrderDetails as Details } from '#contracts/billing/orders.ts'
import { orderQuery } from '#web/billing/billing.queries.ts'
import { config } from '#web/lib/config.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { NotFoundNotice } from '#web/ui/feedback/not-found-notice.tsx'
import { type Column, DataTable } from '#web/ui/lists/data-table.tsx'
import { Page } from '#web/ui/page.tsx'
import { OrderBadge } from './order-badge.tsx'
import classes from './order-details.module.css'
import { ParcelNumber } from './parcel-number.tsx'

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

/** Who brings the parcel, and how far it has come. */
function Parcel({ order: { carrier, tracking, tracking_url, ...order } }: { order: Details }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const facts = [
    ['claims.delivery', order.delivery && <span className={classes.lines}>{order.delivery}</span>],
    ['carrier', carrier],
    ['tracking', tracking && <ParcelNumber tracking={tracking} page={tracking_url} />],
    ['shippedAt', order.shipped_at && formats.date(order.shipped_at)],
    ['deliveredAt', order.delivered_at && formats.date(order.delivered_at)],
    ['returnedAt', order.returned_at && formats.date(order.returned_at)],
  ] as const
  return facts.map(
    ([label, value]) =>
      value && (
        <Fragment key={label}>
          <dt>{t(`purchases.${label}`)}</dt>
          <dd>{value}</dd>
        </Fragment>
      ),
  )
}

/** The page on which customers withdraw from the contract, where the server has one. */
function WithdrawalLink({ reference }: { reference: string }) {
  const { t, i18n } = useTranslation()
  const { withdrawal } = config()
  if (!withdrawal) return null
  return (
    <p className={classes.withdraw}>
      <a href={`${withdrawal}?${new URLSearchParams({ language: i18n.language, reference })}`}>{t('purchases.withdraw')}</a>
    </p>
  )
}

type Line = Details['lines'][number]

function OrderDetails({ order }: { order: Details }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const money = (minorUnits: number) => formats.price(minorUnits, order.currency)
  const columns: Column<Line>[] = [
    { head: t('purchases.description'), cell: ({ label }) => label },
    { head: t('purchases.quantity'), cell: ({ quantity }) => formats.number(quantity), isEnd: true },
    { head: t('purchases.unitPrice'), cell: ({ unit_amount }) => money(unit_amount), isEnd: true },
    { head: t('purchases.amount'), cell: ({ quantity, unit_amount }) => money(quantity * unit_amount), isEnd: true },
  ]
  return (
    <>
      <dl className={classes.facts}>
        <dt>{t('purchases.date')}</dt>
        <dd>{formats.date(order.date)}</dd>
        <dt>{t('purchases.status')}</dt>
        <dd>
          <OrderBadge status={order.status} />
        </dd>
        <Parcel order={order} />
        {order.invoice !== null && (
          <>
            <dt>{t('purchases.invoice')}</dt>
            <dd>
              <Link to={`/invoices?id=${encodeURIComponent(order.invoice)}`}>{t('purchases.showInvoice')}</Link>
            </dd>
          </>
        )}
      </dl>
      <DataTable label={t('purchases.lines')} columns={columns} rows={order.lines} keyOf={({ label }) => label} />
      <dl className={classes.sums}>
        {order.tax !== null && (
          <>
            <dt>{t('purchases.net')}</dt>
            <dd>{money(order.total - order.tax)}</dd>
            <dt>{t('purchases.tax')}</dt>
            <dd>{money(order.tax)}</dd>
          </>
        )}
        <dt className={classes.total}>{t('purchases.total')}</dt>
        <dd className={classes.total}>{money(order.total)}</dd>
      </dl>
      <WithdrawalLink reference={order.reference} />
    </>
  )
}
