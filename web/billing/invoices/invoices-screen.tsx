import { Button } from '@mantine/core'
import { IconReceipt } from '@tabler/icons-react'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { DISPUTE_STATUSES, type Invoice } from '#contracts/billing/invoices.ts'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { INVOICE_STATUSES, type InvoiceStatus } from '#contracts/rules/subscription.ts'
import { invoicesQuery } from '#web/billing/billing.queries.ts'
import { FailedInvoice } from '#web/billing/failed-invoice.tsx'
import { PayDialog } from '#web/billing/pay-dialog.tsx'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { useHasRight } from '#web/signed-in/user.queries.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { type Column, DataTable } from '#web/ui/lists/data-table.tsx'
import { Page } from '#web/ui/page.tsx'
import { InvoicePdfButton } from './invoice-pdf-button.tsx'
import classes from './invoices.module.css'

/** Invoices, newest first; `?id=` highlights one. */
export default function InvoicesScreen() {
  const { t } = useTranslation()
  const count = useQuery({ ...invoicesQuery(), enabled: false }).data?.length
  return (
    <Page isInAccount title={t('title.invoices')} {...(count && { count })}>
      <FailedInvoice />
      <Part skeleton={<SkeletonRows count={3} />}>
        <Invoices />
      </Part>
    </Page>
  )
}

function Invoices() {
  const { t } = useTranslation()
  const [query] = useSearchParams()
  const invoices = useSuspenseQuery(invoicesQuery()).data
  const chosen = invoices.find(({ id }) => String(id) === query.get('id'))?.id
  if (invoices.length > 0) return <InvoiceTable invoices={invoices} chosen={chosen} />
  return (
    <Empty icon={<IconReceipt size={30} />} title={t('purchases.noInvoice')}>
      {t('purchases.noInvoiceLead')}
    </Empty>
  )
}

const TONES = { paid: 'good', open: 'warn', failed: 'bad' } as const

function InvoiceStatusBadge({ status }: { status: InvoiceStatus }) {
  const { t } = useTranslation()
  const known = pickListed(INVOICE_STATUSES, status, null)
  return known ? <Badge tone={TONES[known]}>{t(`purchases.invoiceStatus.${known}`)}</Badge> : <Badge tone="plain">{status}</Badge>
}

const DISPUTE_TONES = { open: 'warn', lost: 'plain', won: 'plain' } as const

/** The status of an invoice, with its refunds and any dispute at the bank. */
function InvoiceState({ invoice: { status, refunded, dispute, currency } }: { invoice: Invoice }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const known = dispute && pickListed(DISPUTE_STATUSES, dispute, null)
  return (
    <span className={classes.state}>
      <InvoiceStatusBadge status={status} />
      {refunded ? <Badge tone="plain">{t('purchases.refunded', { amount: formats.price(refunded, currency) })}</Badge> : null}
      {known && <Badge tone={DISPUTE_TONES[known]}>{t(`purchases.dispute.${known}`)}</Badge>}
    </span>
  )
}

function InvoiceTable({ invoices, chosen }: { invoices: readonly Invoice[]; chosen: number | undefined }) {
  const { t } = useTranslation()
  const formats = useFormats()
  const mayPay = useHasRight('buy')
  const [paying, setPaying] = useState<Invoice | null>(null)
  const columns: Column<Invoice>[] = [
    { head: t('purchases.number'), cell: ({ number }) => number },
    { head: t('purchases.date'), cell: ({ date }) => <span className={classes.whole}>{formats.date(date)}</span> },
    {
      head: t('purchases.order'),
      cell: ({ order }) =>
        order && (
          <Link className={classes.whole ?? ''} to={`/orders/${encodeURIComponent(order)}`}>
            {order}
          </Link>
        ),
    },
    { head: t('purchases.status'), cell: (invoice) => <InvoiceState invoice={invoice} /> },
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
