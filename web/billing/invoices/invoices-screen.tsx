import { IconReceipt } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { invoicesQuery } from '#web/billing/billing.queries.ts'
import { FailedInvoice } from '#web/billing/failed-invoice.tsx'
import { Failure } from '#web/ui/feedback/failure.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Page } from '#web/ui/page.tsx'
import { InvoiceTable } from './invoice-table.tsx'

/** Invoices, newest first; `?id=` highlights one. */
export default function InvoicesScreen() {
  const { t } = useTranslation()
  const [query] = useSearchParams()
  const { data, isError, refetch } = useQuery(invoicesQuery())
  const chosen = data?.find(({ id }) => String(id) === query.get('id'))?.id
  return (
    <Page title={t('title.invoices')} {...(data && data.length > 0 && { count: data.length })}>
      <FailedInvoice />
      {isError && <Failure retry={() => void refetch()} />}
      {!data && !isError && <SkeletonRows count={3} />}
      {data?.length === 0 && (
        <Empty icon={<IconReceipt size={30} />} title={t('purchases.noInvoice')}>
          {t('purchases.noInvoiceLead')}
        </Empty>
      )}
      {data && data.length > 0 && <InvoiceTable invoices={data} chosen={chosen} />}
    </Page>
  )
}
