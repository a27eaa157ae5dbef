import { IconPackage } from '@tabler/icons-react'
import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { CARE_STATUSES, careClaims, type ListedCareClaim } from '#contracts/billing/care-claims.ts'
import type { Order } from '#contracts/billing/orders.ts'
import { ordersQuery } from '#web/billing/billing.queries.ts'
import { CARE_HASH } from '#web/billing/offer.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { orMissing } from '#web/lib/other-backends/features.ts'
import { useHasRight } from '#web/signed-in/user.queries.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { type Column, DataTable } from '#web/ui/lists/data-table.tsx'
import { Page } from '#web/ui/page.tsx'
import { OrderBadge } from './order-badge.tsx'
import classes from './order-details.module.css'
import { ParcelNumber } from './parcel-number.tsx'

export default function OrdersScreen() {
  const { t } = useTranslation()
  const count = useQuery({ ...ordersQuery(), enabled: false }).data?.length
  return (
    <Page isInAccount title={t('title.orders')} {...(count && { count })}>
      <Part skeleton={<SkeletonRows count={3} />} title={t('purchases.ordersFailed')}>
        <Orders />
      </Part>
      <CareClaims />
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
    { head: t('purchases.status'), cell: (order) => <OrderState order={order} /> },
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

/** The status of an order, with its parcel. */
const OrderState = ({ order: { status, carrier, tracking, tracking_url } }: { order: Order }) => (
  <span className={classes.state}>
    <OrderBadge status={status} />
    {carrier && (
      <span>
        {carrier} {tracking && <ParcelNumber tracking={tracking} page={tracking_url} />}
      </span>
    )}
  </span>
)

const { list: listClaims } = createClient({ list: careClaims.list }, clientPorts)

/** Claims, with those to be shipped first. Not among the queries of the first page, which would load the contract of claims with it. */
const claimsQuery = () =>
  queryOptions({
    queryKey: ['careClaims'],
    queryFn: ({ signal }) => orMissing('careClaims', () => listClaims({ query: {} }, { signal }), []),
  })

/** Claims of the account's care plans, absent without any. Those of all accounts are in the console of the company. */
function CareClaims() {
  const { t } = useTranslation()
  const isSupport = useHasRight('unlockSerial')
  if (!isSupport) return <OwnClaims />
  return (
    <p className={classes.withdraw}>
      <a href="/operator/claims">{t('purchases.claims.heading')}</a>
    </p>
  )
}

function OwnClaims() {
  const { t } = useTranslation()
  const formats = useFormats()
  const claims = useQuery(claimsQuery()).data ?? []
  if (claims.length === 0) return null
  const columns: Column<ListedCareClaim>[] = [
    {
      head: t('purchases.claims.tracker'),
      cell: ({ device, tracker }) => <Link to={`/trackers/${encodeURIComponent(device)}/settings${CARE_HASH}`}>{tracker}</Link>,
    },
    { head: t('purchases.date'), cell: ({ created_at }) => <span className={classes.whole}>{formats.date(created_at)}</span> },
    { head: t('purchases.status'), cell: ({ status }) => <ClaimBadge status={status} /> },
    { head: t('purchases.claims.delivery'), cell: ({ delivery }) => <span className={classes.lines}>{delivery}</span> },
    {
      head: t('purchases.order'),
      cell: ({ order }) => order && <Link to={`/orders/${encodeURIComponent(order)}`}>{order}</Link>,
    },
  ]
  return (
    <section className={classes.claims} aria-labelledby="claims">
      <h2 id="claims">{t('purchases.claims.heading')}</h2>
      <DataTable label={t('purchases.claims.heading')} columns={columns} rows={claims} keyOf={({ id }) => id} />
    </section>
  )
}

const CLAIM_TONES = { open: 'warn', ordered: 'good', withdrawn: 'plain' } as const

/** An unknown state is shown as is. */
function ClaimBadge({ status }: { status: string }) {
  const { t } = useTranslation()
  const known = CARE_STATUSES.find((each) => each === status)
  return known ? <Badge tone={CLAIM_TONES[known]}>{t(`purchases.claims.status.${known}`)}</Badge> : <Badge>{status}</Badge>
}

const InvoiceLink = ({ id }: { id: number }) => (
  <Link to={`/invoices?id=${encodeURIComponent(id)}`}>{useTranslation().t('purchases.showInvoice')}</Link>
)
