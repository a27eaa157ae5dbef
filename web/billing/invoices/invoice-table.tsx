import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Invoice } from '#contracts/billing/invoices.ts'
import { INVOICE_STATUSES, type InvoiceStatus, pickListed } from '#contracts/lib/constants.ts'
import { PayDialog } from '#web/billing/pay-dialog.tsx'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useHasRight } from '#web/signed-in/use-has-right.ts'
import { Badge } from '#web/ui/badge.tsx'
import { type Column, DataTable } from '#web/ui/lists/data-table.tsx'
import { InvoicePdfButton } from './invoice-pdf-button.tsx'
import classes from './invoices.module.css'

const TONES = { paid: 'good', open: 'warn', failed: 'bad' } as const

function InvoiceStatusBadge({ status }: { status: InvoiceStatus }) {
  const { t } = useTranslation()
  const known = pickListed(INVOICE_STATUSES, status, null)
  return known ? <Badge tone={TONES[known]}>{t(`purchases.invoiceStatus.${known}`)}</Badge> : <Badge tone="plain">{status}</Badge>
}

export function InvoiceTable({ invoices, chosen }: { invoices: readonly Invoice[]; chosen: number | undefined }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const mayPay = useHasRight('buy')
  const [paying, setPaying] = useState<Invoice | null>(null)
  const columns: Column<Invoice>[] = [
    { head: t('purchases.number'), cell: ({ number }) => number },
    { head: t('purchases.date'), cell: ({ date }) => formats.date(date) },
    {
      head: t('purchases.order'),
      cell: ({ order }) => order && <Link to={`/orders/${encodeURIComponent(order)}`}>{order}</Link>,
    },
    { head: t('purchases.status'), cell: ({ status }) => <InvoiceStatusBadge status={status} /> },
    { head: t('purchases.amount'), cell: ({ amount, currency }) => formats.price(amount, currency), isEnd: true },
    { head: t('purchases.balance'), cell: ({ balance, currency }) => formats.price(balance, currency), isEnd: true },
    {
      head: t('purchases.actions'),
      isUnlabelled: true,
      isEnd: true,
      cell: (invoice) => (
        <span className={classes.actions}>
          {mayPay && invoice.status !== 'paid' && (
            <Button h={44} aria-label={t('purchases.payOf', { number: invoice.number })} onClick={() => setPaying(invoice)}>
              {t('purchases.pay')}
            </Button>
          )}
          <InvoicePdfButton invoice={invoice}>{t('purchases.pdf')}</InvoicePdfButton>
        </span>
      ),
    },
  ]
  return (
    <>
      <DataTable label={t('title.invoices')} columns={columns} rows={invoices} keyOf={({ id }) => id} chosen={chosen} />
      {paying && <PayDialog invoice={paying} onClose={() => setPaying(null)} />}
    </>
  )
}
