import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { OrderDetails as Details } from '#contracts/billing/orders.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { type Column, DataTable } from '#web/ui/lists/data-table.tsx'
import { OrderBadge } from './order-badge.tsx'
import classes from './order-details.module.css'

type Line = Details['lines'][number]

export function OrderDetails({ order }: { order: Details }) {
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
    </>
  )
}
