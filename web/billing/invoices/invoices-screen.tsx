import { IconReceipt } from '@tabler/icons-react'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { invoicesQuery } from '#web/billing/billing.queries.ts'
import { FailedInvoice } from '#web/billing/failed-invoice.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Page } from '#web/ui/page.tsx'
import { InvoiceTable } from './invoice-table.tsx'

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
